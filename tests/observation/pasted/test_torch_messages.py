from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.mark.parametrize(
    ("number", "level"),
    [("12090", "12.9"), ("10010", "10.1"), ("11000", "11.0"), ("9010", "9.1"), ("8000", "8.0"), ("13000", "13.0")],
)
def test_encoded_ceiling_of_the_driver(read: Read, number: str, level: str) -> None:
    values = read(f"RuntimeError: The NVIDIA driver on your system is too old (found version {number}). Please update")
    assert values == {"driver_cuda": (level,)}


def test_architecture_warning_of_a_gpu_that_is_not_served(read: Read) -> None:
    values = read(
        "/opt/venv/lib/python3.11/site-packages/torch/cuda/__init__.py:235: UserWarning: \n"
        "NVIDIA RTX PRO 6000 Blackwell Workstation Edition with CUDA capability sm_120 is not compatible "
        "with the current "
        "PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80\n"
        "sm_86 sm_90 compute_90.\n"
    )
    assert values["gpu"] == ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition",)
    assert values["compute_capability"] == ("12.0",)
    assert values["torch_archs"] == ("sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90 compute_90",)
    assert values["python"] == ("3.11",)


def test_range_warning(read: Read) -> None:
    values = read(
        "    Found GPU0 Quadro M4000 which is of cuda capability 5.2.\n    Minimum and Maximum cuda "
        "capability supported by "
        "this version of PyTorch is\n    (7.5) - (12.0)\n"
    )
    assert values["compute_capability"] == ("5.2",)
    assert values["torch_capability_range"] == ("7.5-12.0",)


def test_minimum_warning(read: Read) -> None:
    values = read(
        "    Found GPU1 GeForce GT 730 which is of cuda capability 3.5.\n    PyTorch no longer supports this "
        "GPU because it "
        "is too old.\n    The minimum cuda capability supported by this library is 3.7.\n"
    )
    assert values["gpu"] == ("GeForce GT 730",)
    assert values["torch_capability_range"] == ("3.7-",)


def test_hardware_list_warning(read: Read) -> None:
    values = read(
        "Found GPU0 NVIDIA GeForce GTX 1080 which is of compute capability (CC) 6.1.\nThe following list "
        "shows the CCs this "
        "version of PyTorch was built for and the hardware CCs it supports:\n"
        "- 7.5 which supports hardware CC >=7.5,<8.0\n- 8.0 which supports hardware CC >=8.0,<9.0 except {8.7}\n"
        "- 12.0 which supports hardware CC >=12.0,<13.0\n"
        "Please follow the instructions at https://pytorch.org/get-started/locally/ to install a PyTorch release that "
        "supports one of these CUDA versions: 12.6\n"
    )
    assert values["torch_archs"] == ("sm_75 sm_80 sm_120",)
    assert values["compute_capability"] == ("6.1",)
    assert "index" not in values


def test_advice_is_not_a_fact(read: Read) -> None:
    values = read(
        "Your installed torch==2.15.0+cu130 does not include kernels for this GPU. Reinstall the same "
        "version against a CUDA "
        "build that does, e.g.:\n  For CUDA 12.6 use pip install torch==2.14.0 --index-url "
        "https://download.pytorch.org/whl/cu126\n"
    )
    assert values["package:torch"] == ("2.15.0+cu130",)
    assert "index" not in values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The detected CUDA version (12.4) mismatches the version that was used to compile\nPyTorch "
            "(11.8). Please make sure",
            {"nvcc": ("12.4",), "torch_cuda": ("11.8",)},
        ),
        (
            "CUDAMismatchException: Installed CUDA version 13.0 does not match the version torch was "
            "compiled with 12.8, unable",
            {"nvcc": ("13.0",), "torch_cuda": ("12.8",)},
        ),
        (
            "PyTorch has CUDA version 11.8 whereas TorchAudio has CUDA version 12.1. Please install the "
            "TorchAudio version",
            {"torch_cuda": ("11.8",), "built_for": ("torchaudio cuda 12.1",)},
        ),
        (
            "cuDNN version incompatibility: PyTorch was compiled against (9, 1, 0) but found runtime version "
            "(8, 9, 7).",
            {"cudnn_compiled": ("9.1.0",), "cudnn": ("8.9.7",)},
        ),
        (
            "Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0. CuDNN library needs",
            {"cudnn": ("8.0.5",), "cudnn_compiled": ("8.1.0",)},
        ),
        ("Disabling PyTorch because PyTorch >= 2.4 is required but found 2.2.0", {"package:torch": ("2.2.0",)}),
        ("AssertionError: Torch not compiled with CUDA enabled", {"torch_cuda": ("none",)}),
        ("NCCL INFO cudaDriverVersion 12080", {"driver_cuda": ("12.8",)}),
        ("node7:91:91 [0] NCCL INFO NCCL version 2.21.5+cuda12.4", {"nccl": ("2.21.5+cuda12.4",)}),
        (
            "  Device 0: NVIDIA GeForce GTX 1660 Ti, compute capability 7.5, VMM: yes",
            {"gpu": ("NVIDIA GeForce GTX 1660 Ti",), "compute_capability": ("7.5",)},
        ),
        (
            "Torch detected GPU: NVIDIA GeForce RTX 3070 VRAM 8192 Arch (8, 6) Cores 46",
            {"gpu": ("NVIDIA GeForce RTX 3070",), "gpu_memory": ("8192",), "compute_capability": ("8.6",)},
        ),
        ("Torch backend: nVidia CUDA 12.1 cuDNN 8907", {"torch_cuda": ("12.1",), "cudnn": ("8.9.7",)}),
        (
            "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your "
            "Quadro RTX 5000 GPU "
            "has compute capability 7.5.",
            {"gpu": ("Quadro RTX 5000",), "compute_capability": ("7.5",)},
        ),
        (
            "  CUDA Driver Version / Runtime Version          11.4 / 10.2",
            {"driver_cuda": ("11.4",), "cudart": ("10.2",)},
        ),
        ("torch.version.cuda = 12.6", {"torch_cuda": ("12.6",)}),
        ("CUDA error: out of memory, CUDA version 12.1 here", {}),
    ],
)
def test_values_in_one_message(read: Read, text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read(text) == expected


def test_xformers_names_both_sides(read: Read) -> None:
    values = read(
        "xFormers was built for:\n    PyTorch 2.4.0+cu121 with CUDA 1201 (you have 2.5.1+cu124)\n"
        "    Python  3.11.9 (you have 3.11.4)\n"
    )
    assert values["package:torch"] == ("2.5.1+cu124",)
    assert values["python"] == ("3.11.4",)
    assert values["built_for"] == ("xformers torch 2.4.0+cu121", "xformers cuda 12.1", "xformers python 3.11.9")
