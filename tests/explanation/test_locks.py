"""A lock held against the catalogue, a target and an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from compatsolver import check
from compatsolver.emitters import pylock
from compatsolver.model.diagnosis import Drift
from compatsolver.model.environment import Environment
from compatsolver.model.lock import NO_ACCELERATOR, Lock, LockedFile, LockedPackage
from compatsolver.model.request import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis

MACHINE = Target(gpus=("RTX 4090",), driver="535.98", python="3.12", platform="linux-x86_64", glibc="2.35")
CU126 = "https://download.pytorch.org/whl/cu126"
LOCKED = {"torch": "2.9.1+cu126", "sympy": "1.14.0", "colorama": "0.4.6"}
MARKERS = {"colorama": "sys_platform == 'win32'"}


def package(name: str, version: str) -> LockedPackage:
    file = LockedFile(
        name=f"{name.replace('-', '_')}-{version}-py3-none-any.whl",
        hashes={"sha256": "0" * 64},
        url=f"https://example.org/{name}-{version.replace('+', '%2B')}-py3-none-any.whl",
    )
    index = CU126 if "+" in version else None
    return LockedPackage(name, version, (file,), index=index, marker=MARKERS.get(name))


@pytest.fixture
def checked(tmp_path: Path, catalog: Catalog) -> Callable[..., Diagnosis]:
    """Write a lock and check it; `changes` are fields of the lock, the rest goes to `check`."""

    def checked(packages: dict[str, str] | None = None, *, changes: dict[str, Any] | None = None, **asked: Any) -> Any:
        lock = Lock(
            packages=tuple(package(name, version) for name, version in (packages or LOCKED).items()),
            targets=(MACHINE,),
            requested=("torch",),
            catalog=catalog.identity(),
        )
        path = tmp_path / "pylock.toml"
        path.write_text(pylock.render(lock._replace(**(changes or {})))["pylock.toml"], encoding="utf-8")
        return check(locks=[path], **asked)

    return checked


def test_a_lock_is_held_against_the_machines_it_was_made_for(checked: Callable[..., Diagnosis]) -> None:
    found = checked()
    assert (found.verdict, found.findings, found.drift) == ("compatible", (), ())
    assert found.read["driver"] == "535.98"
    assert found.notes == ("1 other package of the lock is not in the catalogue, and no rule speaks of it",)


def test_each_machine_of_a_lock_is_looked_at(checked: Callable[..., Diagnosis]) -> None:
    old = MACHINE._replace(driver="470.256.02")
    found = checked(changes={"targets": (MACHINE, old)})
    assert found.verdict == "incompatible"
    assert [finding.kind for finding in found.findings] == ["driver_drops_gpu"]


def test_a_version_of_the_default_index_has_the_build_that_was_locked(checked: Callable[..., Diagnosis]) -> None:
    """torch 2.9.1 is built for CUDA 12.6 as well, which this driver runs, but 13.0 is what was locked."""
    told = {"accelerator": NO_ACCELERATOR._replace(cuda="13.0")}
    found = checked({"torch": "2.9.1"}, changes=told)
    assert [finding.kind for finding in found.findings] == ["driver_min_for_cuda"]
    assert checked({"torch": "2.9.1"}).verdict == "compatible"


def test_what_is_not_said_of_the_machine_is_as_in_the_lock(checked: Callable[..., Diagnosis]) -> None:
    found = checked(gpu="RTX 4090", driver="580.95.05")
    assert (found.verdict, found.findings) == ("compatible", ())
    assert found.read["python"] == "3.12"


def test_facts_that_changed_are_told_and_unchanged_ones_are_not(checked: Callable[..., Diagnosis]) -> None:
    found = checked(changes={"catalog": {"version": "2026.01.31", "digest": "ab" * 32}})
    assert found.verdict == "compatible"
    assert found.notes[0].startswith("made with catalogue 2026.01.31 (digest abababababab); the facts have changed")


@pytest.mark.parametrize(
    ("axes", "kind", "words"),
    [
        ({"python": "3.13"}, "python_no_wheel", "Python 3.13 on linux-x86_64"),
        ({"platform": "linux-aarch64"}, "index_no_such_wheel", "Python 3.12 on linux-aarch64"),
    ],
)
def test_a_target_that_the_lock_was_not_made_for_is_told(
    axes: dict[str, str], kind: str, words: str, checked: Callable[..., Diagnosis]
) -> None:
    asked = {"python": "3.12", "platform": "linux-x86_64", **axes}
    found = checked(gpu="RTX 4090", driver="580.95.05", glibc="2.35", **asked)
    assert found.verdict == "incompatible"
    assert (found.findings[0].kind, found.findings[0].found) == (kind, words)


def test_drift_is_named_package_by_package(checked: Callable[..., Diagnosis]) -> None:
    environment = Environment(
        gpu=("RTX 4090",),
        driver="535.98",
        python="3.12",
        os="linux",
        arch="x86_64",
        packages={"Torch": "2.9.1+cu130", "SymPy": "1.14", "rich": "14.0"},
    )
    found = checked(environment=environment)
    assert found.verdict == "incompatible"
    assert found.drift == (Drift("torch", "2.9.1+cu126", "2.9.1+cu130"),)
    missing = checked(environment=environment._replace(packages={"torch": "2.9.1+cu126"}))
    assert missing.drift == (Drift("sympy", "1.14.0", None),)
    same = checked(environment=environment._replace(packages={"torch": "2.9.1+cu126", "sympy": "1.14.0"}))
    assert (same.verdict, same.drift) == ("compatible", ())


def test_a_machine_without_packages_has_not_drifted(checked: Callable[..., Diagnosis]) -> None:
    environment = Environment(gpu=("RTX 4090",), driver="535.98", python="3.12", os="linux", arch="x86_64")
    assert checked(environment=environment).verdict == "compatible"


def test_a_real_package_with_a_name_that_the_catalogue_reads_otherwise_is_let_be(
    checked: Callable[..., Diagnosis],
) -> None:
    """`cuda-toolkit` is an alias in a request, and `torchvision2` would be taken for a slip; a lock took both."""
    found = checked({**LOCKED, "cuda-toolkit": "11.8.0", "torchvision2": "1.0"})
    assert found.verdict == "compatible"
    assert found.notes[0].startswith("3 other packages of the lock")
