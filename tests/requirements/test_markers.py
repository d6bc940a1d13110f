"""Markers are about the target, whatever machine evaluates them."""

from __future__ import annotations

import sys

import pytest
from packaging.markers import Marker

from compatsolver.errors import InvalidRequirement
from compatsolver.model.environment import Environment
from compatsolver.model.request import Target
from compatsolver.observation.completion import complete
from compatsolver.observation.target import target_of
from compatsolver.requirements.markers import applies

TARGETS = {
    "linux": Target(python="3.11", platform="linux-x86_64"),
    "arm": Target(python="3.11", platform="linux-aarch64"),
    "windows": Target(python="3.11", platform="windows-x86_64"),
    "mac": Target(python="3.11", platform="macos-arm64"),
    "wsl": Target(python="3.11", platform="linux-x86_64", wsl=True),
    "old": Target(python="3.9", platform="linux-x86_64"),
    "free": Target(python="3.14t", platform="linux-x86_64"),
}


@pytest.mark.parametrize(
    ("marker", "where"),
    [
        ("sys_platform == 'linux'", {"linux", "arm", "wsl", "old", "free"}),
        ("sys_platform == 'win32'", {"windows"}),
        ("sys_platform != 'darwin'", {"linux", "arm", "windows", "wsl", "old", "free"}),
        ("platform_system == 'Darwin'", {"mac"}),
        ("platform_system == 'Linux' and platform_machine == 'x86_64'", {"linux", "wsl", "old", "free"}),
        ("platform_machine == 'aarch64'", {"arm"}),
        ("platform_machine == 'arm64'", {"mac"}),
        ("platform_machine == 'AMD64'", {"windows"}),
        ("os_name == 'nt'", {"windows"}),
        ("python_version >= '3.10'", {"linux", "arm", "windows", "mac", "wsl", "free"}),
        ("python_version < '3.10'", {"old"}),
        ("python_version == '3.14'", {"free"}),
        ("python_full_version < '3.10.1'", {"old"}),
        ("implementation_name == 'pypy'", set()),
        ("platform_python_implementation == 'CPython' and python_version < '3.10'", {"old"}),
        ("extra == 'dev'", set()),
    ],
)
def test_a_marker_counts_on(marker: str, where: set[str]) -> None:
    assert {name for name, target in TARGETS.items() if applies(Marker(marker), target, "x")} == where


def test_a_patch_release_that_was_given_counts() -> None:
    target = Target(python="3.11.2", platform="linux-x86_64")
    assert applies(Marker("python_full_version < '3.11.4'"), target, "x")


@pytest.mark.parametrize(
    ("marker", "counts"),
    [
        ("python_full_version >= '3.11.0'", True),
        ("python_full_version < '3.12'", True),
        ("python_full_version != '3.10.7'", True),
        ("python_full_version == '3.12.*'", False),
        ("implementation_version >= '3.12.0'", False),
        ("python_full_version == '3.11.7' and sys_platform == 'win32'", False),
    ],
)
def test_a_patch_release_that_makes_no_difference_need_not_be_known(marker: str, counts: bool) -> None:
    assert applies(Marker(marker), TARGETS["linux"], "x") is counts


@pytest.mark.parametrize("marker", ["python_full_version == '3.11.7'", "python_full_version != '3.11.7'"])
def test_one_patch_release_among_all_makes_a_difference(marker: str) -> None:
    with pytest.raises(InvalidRequirement, match="patch release"):
        applies(Marker(marker), TARGETS["linux"], "x")


def test_the_patch_release_of_a_python_that_was_read_counts() -> None:
    target = target_of(Environment(python="Python 3.11.7", os="Linux"))
    assert (target.python, target.python_patch) == ("3.11", "7")
    assert applies(Marker("python_full_version == '3.11.7'"), target, "x")
    assert not applies(Marker("python_full_version < '3.11.4'"), target, "x")


def test_the_patch_release_of_this_interpreter_counts_where_it_is_the_targets() -> None:
    target = complete(Target(gpus=("T4",)), None)
    this = ".".join(map(str, sys.version_info[:3]))
    assert applies(Marker(f"python_full_version == '{this}'"), target, "x")


@pytest.mark.parametrize(
    ("marker", "hint"),
    [("python_full_version < '3.11.4'", "--python 3.11.7"), ("platform_release >= '6'", "leave the marker out")],
)
def test_what_a_target_does_not_say_is_asked_for(marker: str, hint: str) -> None:
    with pytest.raises(InvalidRequirement) as caught:
        applies(Marker(marker), TARGETS["linux"], f"torch; {marker}")
    assert hint in (caught.value.hint or "")
    assert marker in caught.value.message
