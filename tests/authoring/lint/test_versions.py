"""The lint on the spelling of versions, once per family and per kind of cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import versions

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    (
        "versions-readable",
        "architectures.yaml",
        'compute_capability: "8.9"',
        'compute_capability: "sm_89"',
        "'sm_89' is written '8.9'",
    ),
    ("versions-readable", "architectures.yaml", "code: [sm_89]", "code: [sm89]", "code: not an architecture target"),
    ("versions-readable", "architectures.yaml", 'at_least: "13.0"', 'at_least: "13.x"', "cuda: not a dotted number"),
    ("versions-readable", "architectures.yaml", "last_branch: R580", 'last_branch: "580"', "not a driver branch"),
    ("versions-readable", "components.yaml", '"3.12"', '"3.12.4"', "values: '3.12.4' is written '3.12'"),
    ("versions-readable", "cuda.yaml", '"570.124.06"', '"570.124-06"', "linux: not a dotted number"),
    ("versions-readable", "cudnn.yaml", '"8.9"', '"8.9.0"', "compute_capability: not a compute capability"),
    ("versions-readable", "torch/2.9.yaml", 'version: "2.9.1"', 'version: "2.9.x"', "version: Invalid version"),
    ("versions-readable", "torch/2.9.yaml", '"==3.5.1"', '"=3.5.1"', "triton: not a PEP 440 specifier"),
    ("versions-readable", "torch/2.9.yaml", '"3.13t"', '"313t"', "pythons: not a Python version"),
    ("versions-readable", "libraries/torchvision.yaml", '"==2.9.1"', '"2.9.1"', "requires: not a PEP 440 specifier"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in versions.LINTS}
