from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("Cuda compilation tools, release 12.8, V12.8.93", "nvcc", "12.8.93"),
        ("Build cuda_11.8.r11.8/compiler.31833905_0", "nvcc", "11.8"),
        ("$ nvcc --version  -> 10.2", "nvcc", "10.2"),
        ("/bin/sh: 1: nvcc: not found", "nvcc", "none"),
        ("'nvcc' is not recognized as an internal or external command", "nvcc", "none"),
        (
            "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
            "cuda_home",
            "none",
        ),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_90a'", "unsupported_arch", "compute_90a"),
        ("ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'", "unsupported_arch", "sm_121a"),
        ("#error -- unsupported GNU version! gcc versions later than 12 are not supported!", "gcc_limit", "12"),
        ("gcc (Debian 12.2.0-14) 12.2.0", "gcc", "12.2.0"),
        ("gcc version 9.4.0 (Ubuntu 9.4.0-1ubuntu1~20.04.2)", "gcc", "9.4.0"),
        ("-- The CXX compiler identification is GNU 14.2.1", "gcc", "14.2.1"),
        ("-- The CUDA compiler identification is NVIDIA 12.4.99", "nvcc", "12.4.99"),
        ("Microsoft (R) C/C++ Optimizing Compiler Version 19.44.35207.1 for x64", "msvc", "19.44.35207.1"),
        (r"C:\BuildTools\VC\Tools\MSVC\14.39.33519\bin", "msvc", "14.39.33519"),
        ("# using Visual Studio 2019 here", "msvc", "Visual Studio 2019"),
        ("clang version 16.0.6", "clang", "16.0.6"),
        ("cmake version 3.22.1", "cmake", "3.22.1"),
        ("CUDA toolkit 12.6 installed", "nvcc", "12.6"),
        ("export TORCH_CUDA_ARCH_LIST='7.5;8.6+PTX'", "build_archs", "sm_75 sm_86 compute_86"),
        ("nvcc -gencode arch=compute_70,code=sm_70 x.cu", "build_archs", "compute_70 sm_70"),
    ],
)
def test_compilers(read: Read, text: str, axis: str, value: str) -> None:
    assert read(text).get(axis) == (value,)
