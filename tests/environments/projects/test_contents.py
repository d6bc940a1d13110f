"""The files of a project, for each kind of lock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

from compatsolver.environments.projects.contents import commands, contents
from compatsolver.environments.projects.entrance import with_basics
from compatsolver.errors import InputError
from compatsolver.model.lock import NO_ACCELERATOR, Lock, LockedFile, LockedPackage
from locks import TARGET, lock_of, with_packages

if TYPE_CHECKING:
    from collections.abc import Callable

CPU = lock_of()._replace(targets=(TARGET._replace(gpus=(), driver=None),), accelerator=NO_ACCELERATOR)
WINDOWS = lock_of()._replace(targets=(TARGET._replace(platform="windows-x86_64", glibc=None),))


def written_commands(readme: str) -> list[str]:
    """The lines of all shell blocks."""
    return [line for block in re.findall(r"^```sh\n(.*?)^```$", readme, re.M | re.S) for line in block.splitlines()]


def test_the_readme_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    readme = contents(lock_of(), "My Project")["README.md"]
    assert readme == golden("project.README.md", readme)


@pytest.mark.parametrize("lock", [lock_of(), CPU, WINDOWS], ids=["gpu", "cpu", "windows"])
def test_the_readme_speaks_of_what_is_there(lock: Lock) -> None:
    files = contents(lock, "project")
    listed = set(re.findall(r"^\| `([^`]+)` \|", files["README.md"], re.M))
    assert listed == {name for name in files if name not in ("README.md", ".gitignore", ".dockerignore")}
    assert "$" not in files["README.md"].replace('"$PWD"', "")
    assert [*commands(lock)] == written_commands(files["README.md"])[: len(commands(lock))]
    for script in re.findall(r"(\w+\.(?:py|sh))\b", "\n".join(written_commands(files["README.md"]))):
        assert script in files


def test_gpus_are_for_containers_with_cuda() -> None:
    assert "docker run --rm --gpus all" in contents(lock_of(), "project")["README.md"]
    assert "--gpus" not in contents(CPU, "project")["README.md"]


def test_windows_gets_commands_of_its_own_and_no_image() -> None:
    files = contents(WINDOWS, "project")
    assert not {"setup.sh", "Dockerfile"} & {*files}
    assert "docker" not in files["README.md"]
    assert commands(WINDOWS)[0] == "py -3.12 -m venv .venv"


def test_extensions_are_installed_after_torch() -> None:
    source = LockedFile(
        "flash_attn-2.8.3.tar.gz", {"sha256": "0" * 64}, url="https://files.example.org/flash_attn.tar.gz"
    )
    files = contents(
        with_packages(lock_of(), LockedPackage("flash-attn", "2.8.3", (source,), requires=("torch",))), "x"
    )
    assert "flash-attn==2.8.3" in files["requirements-build.txt"]
    assert "flash-attn" not in files["requirements.txt"]
    assert "`requirements-build.txt`" in files["README.md"]


def test_a_project_is_for_one_python_and_needs_no_file_of_this_machine() -> None:
    with pytest.raises(InputError, match=r"for one Python"):
        contents(lock_of()._replace(targets=(TARGET, TARGET._replace(python="3.13"))), "project")
    local = LockedPackage("own", "1.0", (LockedFile("own.whl", {"sha256": "0" * 64}, path="own.whl"),), direct=True)
    with pytest.raises(InputError, match=r"own\.whl is on this machine only"):
        contents(with_packages(lock_of(), local), "project")


def test_what_the_scripts_import_is_required_once() -> None:
    asked = with_basics(["Torch==2.6.0", "peft[dev]>=0.17", "scipy"])
    assert sorted(Requirement(text).name.lower() for text in asked) == [
        "peft",
        "scipy",
        "torch",
        "tqdm",
        "transformers",
    ]
