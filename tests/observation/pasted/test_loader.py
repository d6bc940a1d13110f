from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.mark.parametrize(
    ("text", "axis", "values"),
    [
        (
            "ImportError: libcublas.so.12: cannot open shared object file: No such file or directory",
            "missing_library",
            ("libcublas.so.12",),
        ),
        (
            "Could not load library libcudnn_cnn_infer.so.8. Error: libnvrtc.so: cannot open shared object file",
            "missing_library",
            ("libnvrtc.so", "libcudnn_cnn_infer.so.8"),
        ),
        (
            "W Could not load dynamic library 'libcusolver.so.11'; dlerror: libcusolver.so.11",
            "missing_library",
            ("libcusolver.so.11",),
        ),
        (
            "RuntimeError: Library cublas64_12.dll is not found or cannot be loaded",
            "missing_library",
            ("cublas64_12.dll",),
        ),
        ("\tlibnvinfer.so.8 => not found", "missing_library", ("libnvinfer.so.8",)),
        (
            "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
            "missing_library",
            ("libcudnn_cnn.so.9",),
        ),
        (
            r'OSError: [WinError 127] 找不到指定的程序。 Error loading "D:\py\torch\lib\shm.dll" or one of its parts.',
            "missing_library",
            ("shm.dll",),
        ),
        (
            "ImportError: /x/site-packages/vllm/_C.abi3.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
            "undefined_symbol",
            ("_ZN3c104cuda9SetDeviceEi",),
        ),
        (
            "ImportError: /x/site-packages/vllm/_C.abi3.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
            "failing_package",
            ("vllm",),
        ),
        (
            "ImportError: /x/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: a",
            "failing_module",
            ("flash_attn_2_cuda",),
        ),
        (
            "ImportError: /x/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: a",
            "failing_package",
            ("flash-attn",),
        ),
        ("libm.so.6: version `GLIBC_2.29' not found (required by ./a)", "glibc_required", ("2.29",)),
        (
            "libstdc++.so.6: version `CXXABI_1.3.13' not found (required by ./a)",
            "libstdcxx_required",
            ("CXXABI_1.3.13",),
        ),
        (
            "ModuleNotFoundError: No module named 'torch._inductor.kernel'",
            "missing_module",
            ("torch._inductor.kernel",),
        ),
        (
            "ImportError: cannot import name 'cached_download' from 'huggingface_hub' (/a/b.py)",
            "failing_package",
            ("huggingface-hub",),
        ),
        (
            "ImportError: cannot import name 'cached_download' from 'huggingface_hub' (/a/b.py)",
            "missing_module",
            ("cached_download",),
        ),
        (
            "ImportError: DLL load failed while importing _C: The specified procedure could not be found.",
            "failing_module",
            ("_C",),
        ),
        (
            "        libcudart.so.12 => /usr/local/cuda/lib64/libcudart.so.12 (0x00007f)",
            "present_library",
            ("libcudart.so.12",),
        ),
        ("\tlibnccl.so.2 (libc6,x86-64) => /lib/x86_64-linux-gnu/libnccl.so.2", "present_library", ("libnccl.so.2",)),
        (
            "lrwxrwxrwx 1 root root 17 libcudnn.so.9 -> libcudnn.so.9.5.1",
            "present_library",
            ("libcudnn.so.9", "libcudnn.so.9.5.1"),
        ),
        (
            "Could not find the bitsandbytes CUDA binary at PosixPath('/e/bitsandbytes/libbitsandbytes_cuda128.so')",
            "missing_library",
            ("libbitsandbytes_cuda128.so",),
        ),
        ("strings libstdc++.so.6.0.28", "libstdcxx", ("6.0.28",)),
    ],
)
def test_loader_lines(read: Read, text: str, axis: str, values: tuple[str, ...]) -> None:
    assert read(text).get(axis) == values


def test_a_traceback_does_not_make_every_path_a_missing_library(read: Read) -> None:
    values = read('  File "/opt/venv/lib/python3.12/site-packages/torch/__init__.py", line 367, in <module>\n')
    assert values == {"python": ("3.12",)}
