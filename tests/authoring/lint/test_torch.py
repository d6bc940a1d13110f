"""Lints on torch builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import torch

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    ("build-tag", "torch/2.9.yaml", 'cuda: "13.0.0"', 'cuda: "13.1.0"', "called cu130 and has CUDA 13.1.0"),
    ("cpu-build", "torch/2.9.yaml", "    cuda: null", '    cuda: "12.8.1"', "is a CPU build with cuda"),
    ("cpu-build", "torch/2.9.yaml", "platform: linux-x86_64", "platform: macos-arm64", "no CUDA on macOS"),
    ("offered-build", "torch/2.9.yaml", 'pythons: ["3.12"]', "pythons: []", "published for no Python"),
    (
        "offered-build",
        "torch/2.9.yaml",
        "index: https://download.pytorch.org/whl/cu130",
        "index: null",
        "published on no index",
    ),
    ("offered-build", "torch/2.9.yaml", 'cuda: "13.0.0"', "cuda: null", "needs cuda and archs"),
    ("index-tag", "torch/2.9.yaml", "whl/cu130", "whl/cu126", "the index is https://download.pytorch.org/whl/cu126"),
    ("default-index-once", "torch/2.9.yaml", "default_index: false", "default_index: true", "serves cu130 and cu128"),
    (
        "default-index-once",
        "torch/2.9.yaml",
        'published: "yes"\n    default_index: true',
        'published: "no"\n    default_index: true',
        "not published",
    ),
    ("glibc-on-linux", "torch/2.9.yaml", "glibc: null", 'glibc: "2.28"', "needs glibc 2.28"),
    ("pin-released", "torch/2.9.yaml", 'nccl: "2.27.7"', 'nccl: "2.27.8"', "there is no nccl 2.27.8"),
    ("abi-on-linux", "torch/2.9.yaml", "glibc: null", "glibc: null\n    cxx11_abi: true", "states a C++ ABI"),
    (
        "build-pythons-admitted",
        "torch/2.9.yaml",
        "complete: true",
        'requires_python: ">=3.13"\n  complete: true',
        "has wheels for Python 3.12 and requires >=3.13",
    ),
    ("column-evidence", "torch/2.9.yaml", "glibc: inferred, ", "", "no evidence for glibc"),
    ("targets-placed", "torch/2.9.yaml", "ptx: [compute_110]", "ptx: [sm_110]", "sm_110 in the wrong list"),
    ("targets-placed", "torch/2.9.yaml", "disputed: [sm_110]", "disputed: [sm_120]", "sm_120 in the wrong list"),
    ("targets-placed", "torch/2.9.yaml", "sass: [sm_89, sm_70]", "sass: [sm_89, sm_89]", "stands twice"),
    (
        "targets-known-to-toolkit",
        "torch/2.9.yaml",
        "sass: [sm_110, sm_89]",
        "sass: [sm_110, sm_70]",
        "has no sm_70, which CUDA 9.0 to 12.8 compiles",
    ),
    ("targets-known-to-toolkit", "torch/2.9.yaml", "sass: [sm_89, sm_70]", "sass: [sm_110, sm_70]", "has no sm_110"),
    (
        "targets-known-to-toolkit",
        "torch/2.9.yaml",
        "sass: [sm_89, sm_70]",
        "sass: [sm_89, sm_73]",
        "sm_73 is no capability",
    ),
    (
        "cudnn-serves-build",
        "torch/2.9.yaml",
        "sass: [sm_110, sm_89], ptx: [compute_110], disputed: [sm_110]",
        "sass: [sm_70], ptx: []",
        "cuDNN 9.13.0.50 runs on none of its GPUs",
    ),
    ("triton-released", "torch/2.9.yaml", '"==3.5.1"', '"==3.5.2"', "no triton ==3.5.2"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in torch.LINTS}
