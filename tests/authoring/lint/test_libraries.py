"""Lints on libraries and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import libraries

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    (
        "requirement-met",
        "libraries/torchvision.yaml",
        '"==2.9.1"',
        '"==2.9.2"',
        "torchvision 0.24.1 requires torch ==2.9.2: no such release",
    ),
    ("requirement-met", "libraries/torchvision.yaml", '{torch: "==2.9.1"}', '{torhc: "==2.9.1"}', "has no table"),
    ("library-is-component", "components.yaml", "name: triton", "name: pytorch-triton", "triton is no package"),
    ("package-has-table", "components.yaml", "name: triton", "name: tritoff", "there is no table of tritoff"),
    ("alias-reachable", "aliases.yaml", "  pytorch:", "  Py_Torch:", "nobody is led to the alias 'Py_Torch'"),
    ("wheels-once", "libraries/torchvision.yaml", "windows-x86_64", "linux-x86_64", "lists a platform twice"),
    ("wheels-admitted", "libraries/triton.yaml", ">=3.12,<3.15", ">=3.13,<3.15", "has wheels for Python 3.12"),
    ("wheels-for-known-hosts", "libraries/triton.yaml", '"3.13t"', '"3.14"', "wheels for 3.14"),
    ("wheels-for-known-hosts", "torch/2.9.yaml", "windows-x86_64", "macos-arm64", "wheels for macos-arm64"),
    (
        "wheel-glibc-on-linux",
        "libraries/bitsandbytes.yaml",
        "{platform: linux-x86_64,",
        "{platform: any,",
        "any wheel needs",
    ),
    ("alias-target", "aliases.yaml", "component: cuda", "component: toolkit", "which is no component"),
    ("profile-packages", "profiles.yaml", "torchvision]", "cuda]", "cuda in the profile vision is no package"),
    ("profile-packages", "profiles.yaml", "torchvision]", "torch]", "names a package twice"),
    ("alias-target", "aliases.yaml", "  pytorch:", "  triton:", "is a component and an alias"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in libraries.LINTS}
