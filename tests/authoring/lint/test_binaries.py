"""Lints on native libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import binaries

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "libraries/bitsandbytes.yaml"
CASES = [
    (
        "binary-in-wheel",
        FILE,
        "{platform: windows-x86_64, pythons",
        "{platform: macos-arm64, pythons",
        "no wheel for windows",
    ),
    ("runtime-once", FILE, 'cuda: ["12.8"]', 'cuda: ["13.1"]', "has CUDA 13.1 on linux-x86_64 twice"),
    ("runtime-once", FILE, '["13.2", "13.1"]', '["13.1", "13.1"]', "has CUDA 13.1 on linux-x86_64 twice"),
    ("runtimes-sorted", FILE, '["13.2", "13.1"]', '["13.1", "13.2"]', "CUDA 13.1, 13.2 is not in order"),
    ("runtimes-complete", "cuda.yaml", '"13.0.0"', '"13.3.0"', "nothing for CUDA 13.3 on linux-x86_64"),
    ("binary-code-known", FILE, "sass: [sm_110, sm_89]", "sass: null", "no targets for CUDA 13.0"),
    ("binary-code-known", FILE, "cuda: [], archs", 'cuda: [], also: ["12.8"], archs', "targets without a CUDA"),
    (
        "prebuilt-for-known",
        "libraries/torchvision.yaml",
        'torch: ["2.9"]',
        'torch: ["2.8"]',
        "prebuilt for torch 2.8, which has no row",
    ),
    ("prebuilt-for-known", "libraries/torchvision.yaml", 'cuda: ["13"]', 'cuda: ["10"]', "prebuilt for CUDA 10"),
    (
        "prebuilt-for-known",
        "libraries/torchvision.yaml",
        "wheels: []",
        "wheels: [{platform: any, pythons: any}]",
        "wheels on the index and elsewhere",
    ),
    ("binary-targets", FILE, "sass: [sm_110, sm_89]", "sass: [sm_110, sm_70]", "CUDA 13.0 has no sm_70"),
    ("binary-targets", FILE, "ptx: [compute_89]", "ptx: [sm_89]", "sm_89 in the wrong list"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in binaries.LINTS}
