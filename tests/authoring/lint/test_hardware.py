"""Lints on GPUs, drivers and toolkits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import hardware

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    (
        "bounds-ordered",
        "cuda.yaml",
        '{at_least: "13.0", below: "14.0"}',
        '{at_least: "14.0", below: "14.0"}',
        "no version lies between",
    ),
    (
        "bounds-ordered",
        "cuda.yaml",
        '{at_least: "13.0", below: "14.0"}',
        '{at_least: "13.0", above: "13.0"}',
        "one end twice",
    ),
    ("bounds-ordered", "cudnn.yaml", '{at_least: "8.9"}', "{}", "no end"),
    (
        "bounds-ordered",
        "cudnn.yaml",
        '{at_least: "8.9"}',
        '{at_least: "12.0", below: "7.5"}',
        "no version lies between",
    ),
    ("branches-tile", "drivers.yaml", "below_major: 580", "below_major: 578", "leave a gap"),
    ("branches-tile", "drivers.yaml", "below_major: 580", "below_major: 585", "overlap"),
    ("branches-tile", "drivers.yaml", "branch: R575", "branch: R576", "R576 begins with 575"),
    ("branch-cuda-ordered", "drivers.yaml", '"13.0"', '"12.7"', "the older R575 12.8"),
    ("branch-cuda-known", "drivers.yaml", '"13.0"', '"13.1"', "R580 supports CUDA 13.1, which is no toolkit"),
    ("branch-cuda-known", "cuda.yaml", "branch: R580", "branch: R575", "R575 supports CUDA 12.8, and CUDA 13.0 came"),
    ("toolkit-branch", "cuda.yaml", "branch: R580", "branch: R585", "no branch R585"),
    ("toolkit-branch", "cuda.yaml", '"572.61"', '"576.02"', "driver 576.02 is not of the branch R570"),
    ("toolkit-drivers-ordered", "cuda.yaml", '"580.65.06"', '"560.28.03"', "the older 12.8.1 needs 570.124.06"),
    (
        "compatibility-disjoint",
        "cuda.yaml",
        'at_least: "12.0", below: "13.0"',
        'at_least: "12.0", below: "14.0"',
        "falls under 2 rows",
    ),
    (
        "compatibility-disjoint",
        "cuda.yaml",
        'at_least: "12.0", below: "13.0"',
        'at_least: "11.0", below: "12.0"',
        "falls under 0 rows",
    ),
    ("cudnn-tile", "cudnn.yaml", 'below: "9.11"', 'below: "9.10"', "below 9.10 and from 9.11 leave a gap"),
    ("capability-ends", "architectures.yaml", 'last_toolkit: "12.8"', 'last_toolkit: "12.9"', "no toolkit 12.9"),
    ("capability-ends", "architectures.yaml", "first_branch: R570", "first_branch: R565", "no branch R565"),
    ("capability-ends", "architectures.yaml", 'last_toolkit: "12.8"', 'last_toolkit: "12.6"', "before the first"),
    ("same-chip", "architectures.yaml", 'same_as: "10.1"', "same_as: null", "which does not say so"),
    ("dispute-still-needed", "architectures.yaml", "code: [sm_89]", "code: [sm_80]", "no build has the disputed code"),
    ("capability-bound-known", "cudnn.yaml", '{at_least: "8.9"}', '{at_least: "7.6"}', "no GPU has the capability 7.6"),
    (
        "floor-of-old-toolkit",
        "cuda.yaml",
        'minor_version: true, evidence: documented, sources: [guide]}\n- {cuda: {at_least: "12.0"',
        'minor_version: false, evidence: documented, sources: [guide]}\n- {cuda: {at_least: "12.0"',
        "the floor on linux is 580, the toolkit's driver 580.65.06",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in hardware.LINTS}
