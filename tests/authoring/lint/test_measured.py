"""Lints that hold the tables to the wheels that were measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import measured

if TYPE_CHECKING:
    from collections.abc import Callable

BITSANDBYTES = "libraries/bitsandbytes.yaml"
CASES = [
    ("measured-abi", "torch/2.9.yaml", "cxx11_abi: true", "cxx11_abi: false", "has the C++11 ABI; the row has False"),
    ("measured-abi", "torch/2.9.yaml", "cxx11_abi: measured", "cxx11_abi: documented", "measured: False"),
    ("measured-sorted", "measured/torch.yaml", 'version: "2.9.0"', 'version: "2.9.2"', "stands after torch-2.9.1"),
    (
        "measured-code",
        "torch/2.9.yaml",
        "sass: [sm_89, sm_70]",
        "sass: [sm_89]",
        "has sass sm_70, sm_89, the row sm_89",
    ),
    (
        "measured-code",
        "torch/2.9.yaml",
        "sass: [sm_89, sm_70], ptx: []",
        "sass: [sm_89, sm_70], ptx: [compute_89]",
        "has ptx none, the row compute_89",
    ),
    (
        "measured-code",
        "torch/2.9.yaml",
        "sass: [sm_89, sm_70], ptx: [], evidence: measured",
        "sass: [sm_89, sm_70], ptx: [], evidence: documented",
        "are called documented",
    ),
    (
        "measured-runtime",
        "measured/torch.yaml",
        'cuda: "12.8"',
        'cuda: "12.9"',
        "built with CUDA 12.9, the row has 12.8.1",
    ),
    ("measured-glibc", "measured/torch.yaml", 'glibc: "2.17"', 'glibc: "2.31"', "need glibc 2.31, the row has 2.28"),
    (
        "measured-glibc",
        "libraries/torchvision.yaml",
        ', glibc: "2.28"',
        "",
        "need glibc 2.27, the row has None",
    ),
    (
        "measured-pins",
        "measured/torch.yaml",
        "==9.10.2.21",
        "==9.10.2.22",
        "requires cudnn 9.10.2.22, the row has 9.10.2.21",
    ),
    (
        "measured-libraries",
        "measured/bitsandbytes.yaml",
        "sm_110: 2, ",
        "",
        "libbitsandbytes_cuda130.so has compute_110, sm_89, the row compute_110, sm_110, sm_89",
    ),
    (
        "measured-libraries",
        BITSANDBYTES,
        "ptx: [compute_110], evidence: measured",
        "ptx: [compute_110], evidence: documented",
        "are called documented",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in measured.LINTS}
