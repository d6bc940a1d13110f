"""Dockerfiles, read by BuildKit's own parser: the base image, what is copied, what the host needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dockerfile as buildkit  # type: ignore[import-not-found]
import pytest

from compatsolver.emitters import dockerfile
from compatsolver.errors import InputError
from compatsolver.model.lock import NO_ACCELERATOR, Lock, LockedFile, LockedPackage
from compatsolver.model.request import Target
from locks import RTX_4090, lock_of, with_packages

if TYPE_CHECKING:
    from collections.abc import Callable

DIGEST = f"nvcr.io/nvidia/pytorch@sha256:{'0f' * 32}"
SDIST = LockedFile(name="flash_attn-2.8.3.tar.gz", hashes={"sha256": "1" * 64}, url="https://example.org/f.tar.gz")
EXTENSION = LockedPackage("flash-attn", "2.8.3", (SDIST,), requires=("torch",))


def instructions(lock: Lock, base_image: str | None = None) -> list[tuple[str, str]]:
    """Each instruction with its arguments, as the parser splits them."""
    text = dockerfile.render(lock, base_image)["Dockerfile"]
    return [(entry.cmd, " ".join((*entry.flags, *entry.value))) for entry in buildkit.parse_string(text)]


def base(lock: Lock, base_image: str | None = None) -> str:
    return next(value for command, value in instructions(lock, base_image) if command == "FROM")


def test_the_file_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    files = dockerfile.render(lock_of())
    assert list(files) == ["Dockerfile", "requirements.txt"]
    assert files["Dockerfile"] == golden("lock.Dockerfile", files["Dockerfile"])


def test_wheels_need_no_toolkit_and_the_driver_is_asked_of_the_host() -> None:
    found = instructions(lock_of())
    assert found[0] == ("FROM", "python:3.12-slim")
    assert ("ENV", 'NVIDIA_REQUIRE_DRIVER "driver>=525.60.13"') in found
    assert ("COPY", "requirements.txt ./") in found
    assert "--gpus all" in dockerfile.render(lock_of())["Dockerfile"]


def test_a_cpu_lock_asks_nothing_of_the_host() -> None:
    text = dockerfile.render(lock_of()._replace(accelerator=NO_ACCELERATOR))["Dockerfile"]
    assert "NVIDIA" not in text
    assert "--gpus" not in text


def test_extensions_are_built_for_the_cards_beside_the_toolkit_of_torch() -> None:
    lock = with_packages(lock_of(), EXTENSION)._replace(
        accelerator=RTX_4090._replace(capabilities=("8.0", "8.9", "12.0"))
    )
    files = dockerfile.render(lock)
    assert base(lock) == "nvidia/cuda:12.6.3-devel-ubuntu22.04"
    assert ("ENV", 'TORCH_CUDA_ARCH_LIST "8.0;8.9;12.0"') in instructions(lock)
    assert "flash-attn" not in files["requirements.txt"]
    assert "flash-attn==2.8.3" in files["requirements-build.txt"]
    assert "--no-build-isolation -r requirements-build.txt" in instructions(lock)[-1][1]
    assert any("old ones are removed" in line for line in dockerfile.cannot_express(lock))


def test_without_a_toolkit_an_image_is_asked_for() -> None:
    lock = with_packages(lock_of(), EXTENSION)._replace(accelerator=RTX_4090._replace(toolkit=None))
    with pytest.raises(InputError, match="flash-attn is built in the image"):
        dockerfile.render(lock)
    assert base(lock, DIGEST) == DIGEST


def test_a_base_image_is_taken_as_given() -> None:
    assert base(lock_of(), DIGEST) == DIGEST
    assert not any("its tag moves" in line for line in dockerfile.cannot_express(lock_of(), DIGEST))
    assert any("its tag moves" in line for line in dockerfile.cannot_express(lock_of(), "debian:13"))


@pytest.mark.parametrize("image", ["debian:13\nRUN id", "debian 13", "debian@sha256:12", "-v"])
def test_what_is_no_image_is_refused(image: str) -> None:
    with pytest.raises(InputError, match="is not the name of an image"):
        dockerfile.render(lock_of(), image)


def test_local_files_are_copied_and_must_lie_beside_the_dockerfile() -> None:
    def lock(path: str) -> Lock:
        file = LockedFile(name="ours-1.0-py3-none-any.whl", hashes={"sha256": "0" * 64}, path=path)
        return with_packages(lock_of(), LockedPackage("ours", "1.0", (file,), direct=True))

    inside = "./wheels/ours-1.0-py3-none-any.whl"
    assert ("COPY", f"{inside} {inside}") in instructions(lock(r"wheels\ours-1.0-py3-none-any.whl"))
    for outside in ("/srv/ours-1.0-py3-none-any.whl", "../ours-1.0-py3-none-any.whl", r"C:\ours-1.0-py3-none-any.whl"):
        with pytest.raises(InputError, match="lies outside"):
            dockerfile.render(lock(outside))


@pytest.mark.parametrize(
    "targets",
    [
        (Target(python="3.12", platform="windows-x86_64"),),
        (Target(python="3.12", platform="linux-x86_64"), Target(python="3.11", platform="linux-x86_64")),
    ],
)
def test_a_lock_that_makes_no_single_image_is_refused(targets: tuple[Target, ...]) -> None:
    with pytest.raises(InputError):
        dockerfile.render(lock_of()._replace(targets=targets))


def test_both_machines_of_a_lock_are_built_for() -> None:
    arm = lock_of().targets[0]._replace(platform="linux-aarch64")
    text = dockerfile.render(lock_of()._replace(targets=(*lock_of().targets, arm)))["Dockerfile"]
    assert "--platform linux/amd64,linux/arm64" in text
