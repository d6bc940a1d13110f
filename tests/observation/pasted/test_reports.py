from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.observation.pasted import read_pasted

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]

COLLECT_ENV = """\
Collecting environment information...
PyTorch version: 2.6.0+cu124
Is debug build: False
CUDA used to build PyTorch: 12.4
ROCM used to build PyTorch: N/A

OS: Rocky Linux 9.4 (Blue Onyx) (x86_64)
GCC version: (GCC) 11.4.1 20231218 (Red Hat 11.4.1-3)
Clang version: Could not collect
CMake version: version 3.26.5
Libc version: glibc-2.34

Python version: 3.10.14 | packaged by conda-forge | (main, Mar 20 2024, 12:45:18) [GCC 12.3.0] (64-bit runtime)
Python platform: Linux-5.14.0-427.el9.x86_64-x86_64-with-glibc2.34
Is CUDA available: True
CUDA runtime version: 12.6.85
CUDA_MODULE_LOADING set to: LAZY
GPU models and configuration:
GPU 0: NVIDIA L40S
GPU 1: NVIDIA L40S

Nvidia driver version: 555.42.06
cuDNN version: Probably one of the following:
/usr/lib/x86_64-linux-gnu/libcudnn.so.9.3.0
HIP runtime version: N/A

Versions of relevant libraries:
[pip3] numpy==1.26.4
[pip3] torchvision==0.21.0+cu124
[conda] torch                     2.6.0+cu124              pypi_0    pypi
"""


def test_collect_env_is_read_whole(read: Read) -> None:
    values = read(COLLECT_ENV)
    assert values["package:torch"] == ("2.6.0+cu124",)
    assert values["torch_cuda"] == ("12.4",)
    assert values["os"][0].startswith("Rocky Linux 9.4")
    assert values["arch"] == ("x86_64",)
    assert values["gcc"] == ("11.4.1",)
    assert values["cmake"] == ("3.26.5",)
    assert values["glibc"] == ("2.34",)
    assert values["python"] == ("3.10.14",)
    assert values["cuda_available"] == ("true",)
    assert values["nvcc"] == ("12.6.85",)
    assert values["gpu"] == ("NVIDIA L40S",)
    assert values["driver"] == ("555.42.06",)
    assert values["cudnn"] == ("9.3.0",)
    assert values["package:numpy"] == ("1.26.4",)
    assert values["package:torchvision"] == ("0.21.0+cu124",)
    assert "torch_hip" not in values
    assert "clang" not in values


@pytest.mark.parametrize("length", range(0, len(COLLECT_ENV), 97))
def test_a_report_cut_off_anywhere_says_nothing_new(length: int) -> None:
    whole = {(each.axis, each.value) for each in read_pasted(COLLECT_ENV).observations}
    cut = COLLECT_ENV[:length].rpartition("\n")[0]
    assert {(each.axis, each.value) for each in read_pasted(cut).observations} <= whole


def test_quotes_name_line_and_dialect() -> None:
    driver = next(each for each in read_pasted(COLLECT_ENV).observations if each.axis == "driver")
    assert driver.reader == "collect_env"
    assert driver.quote == "Nvidia driver version: 555.42.06"
    assert COLLECT_ENV.split("\n")[driver.line - 1].strip() == driver.quote


def test_first_releases_of_collect_env(read: Read) -> None:
    values = read(
        "PyTorch version: 1.2.0\nIs debug build: No\nCUDA used to build PyTorch: 10.0.130\n\nOS: Ubuntu 16.04.6 LTS\n"
        "GCC version: (Ubuntu 5.4.0-6ubuntu1~16.04.11) 5.4.0 20160609\nCMake version: version "
        "3.5.1\n\nPython version: 3.7\n"
        "Is CUDA available: No\nCUDA runtime version: 10.0.130\nGPU models and configuration: GPU 0: Tesla M60\n"
        "Nvidia driver version: 410.104\ncuDNN version: /usr/local/cuda-10.0/lib64/libcudnn.so.7.6.2\n[pip] "
        "numpy==1.17.0\n"
    )
    assert values["torch_cuda"] == ("10.0.130",)
    assert values["gcc"] == ("5.4.0",)
    assert values["cuda_available"] == ("false",)
    assert values["gpu"] == ("Tesla M60",)
    assert values["driver"] == ("410.104",)
    assert values["cudnn"] == ("7.6.2",)
    assert values["package:numpy"] == ("1.17.0",)


def test_aligned_report_of_vllm(read: Read) -> None:
    values = read(
        "==============================\n        System Info\n==============================\n"
        "OS                           : Ubuntu 22.04.4 LTS (aarch64)\nGCC version                  : (Ubuntu "
        "11.4.0) 11.4.0\n"
        "Libc version                 : glibc-2.35\nPyTorch version              : 2.8.0+cu129\n"
        "CUDA used to build PyTorch   : 12.9\nIs CUDA available            : True\n"
        "CUDA runtime version         : Could not collect\nNvidia driver version        : 575.57.08\n"
        "GPU models and configuration : \nGPU 0: NVIDIA GH200 480GB\nvLLM Version                 : 0.10.2\n"
        "[pip3] flashinfer-python==0.3.1\nLD_LIBRARY_PATH=/usr/local/nvidia/lib64\n"
    )
    assert values["os"] == ("Ubuntu 22.04.4 LTS",)
    assert values["arch"] == ("aarch64",)
    assert values["torch_cuda"] == ("12.9",)
    assert values["gpu"] == ("NVIDIA GH200 480GB",)
    assert values["package:vllm"] == ("0.10.2",)
    assert values["env:LD_LIBRARY_PATH"] == ("/usr/local/nvidia/lib64",)
    assert "nvcc" not in values


def test_windows_numbers_its_drivers_otherwise(read: Read) -> None:
    values = read("OS: Microsoft Windows 10 Pro\nNvidia driver version: 27.21.14.5671\n")
    assert values["driver"] == ("456.71",)
    assert values["os"] == ("Microsoft Windows 10 Pro",)


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("torch version .................... 2.3.1+cu121", "package:torch", "2.3.1+cu121"),
        ("torch cuda version ............... 12.1", "torch_cuda", "12.1"),
        ("torch hip version ................ None", "torch_hip", "none"),
        ("nvcc version ..................... 11.8", "nvcc", "11.8"),
        ("deepspeed info ................... 0.14.4, unknown, unknown", "package:deepspeed", "0.14.4"),
        ("deepspeed wheel compiled w. ...... torch 2.3, cuda 12.1", "built_for", "deepspeed cuda 12.1"),
        ("- `transformers` version: 4.44.2", "package:transformers", "4.44.2"),
        ("- Platform: Linux-6.8.0-40-generic-x86_64-with-glibc2.39", "glibc", "2.39"),
        ("- Platform: Linux-5.15.153.1-microsoft-standard-WSL2-x86_64-with-glibc2.35", "wsl", "2"),
        ("- Platform: Windows-10-10.0.19045-SP0", "os", "Windows 10-10.0.19045"),
        ("- PyTorch version (GPU?): 2.4.0+cu121 (True)", "cuda_available", "true"),
        ("- PyTorch version (accelerator?): 2.8.0+cu128 (NA)", "cuda_available", "false"),
        ("- Huggingface_hub version: 0.24.6", "package:huggingface-hub", "0.24.6"),
        ("- `Accelerate` version: 0.33.0", "package:accelerate", "0.33.0"),
        ("- `llamafactory` version: 0.9.3", "package:llamafactory", "0.9.3"),
        ("- PyTorch version: 2.6.0+cu124 (GPU)", "cuda_available", "true"),
        ("- GPU type: NVIDIA GeForce RTX 4080 SUPER", "gpu", "NVIDIA GeForce RTX 4080 SUPER"),
        ("- Bitsandbytes version: 0.45.3", "package:bitsandbytes", "0.45.3"),
        ("pytorch.version:                                   2.2.2+cu118", "package:torch", "2.2.2+cu118"),
        ("gpu.compute_capability:                            7.5", "compute_capability", "7.5"),
        ("build.cuda_version:                                1108", "built_for", "xformers cuda 11.8"),
        ("build.torch_version:                               2.2.2+cu118", "built_for", "xformers torch 2.2.2+cu118"),
        ("TorchVision: 0.13.1", "package:torchvision", "0.13.1"),
        ("NVCC: Cuda compilation tools, release 11.3, V11.3.109", "nvcc", "11.3.109"),
        ("GPU 0 Compute Capability: 9.0", "compute_capability", "9.0"),
        ("GPU 0                   Tesla V100-SXM2-16GB (arch=7.0)", "compute_capability", "7.0"),
        ("CUDA_HOME: /usr/local/cuda-11.8", "cuda_home", "/usr/local/cuda-11.8"),
        ("显卡驱动: 551.61", "driver", "551.61"),
        ("操作系统:Windows 11", "os", "Windows 11"),
    ],
)
def test_one_line_of_a_report(read: Read, text: str, axis: str, value: str) -> None:
    assert read(text).get(axis, ())[-1:] == (value,)


def test_bitsandbytes_in_its_newer_dialect(read: Read) -> None:
    values = read(
        "=================== bitsandbytes v0.46.1 ===================\nPlatform: Linux-6.6.87-x86_64-with-glibc2.41\n"
        "  libc: glibc-2.41\nPython: 3.13.5\nPyTorch: 2.7.1+cu126\n  CUDA: 12.6\n  HIP: N/A\n  XPU: N/A\n"
        "Related packages:\n  accelerate: 1.8.1\n  peft: not found\n"
    )
    assert values["package:bitsandbytes"] == ("0.46.1",)
    assert values["torch_cuda"] == ("12.6",)
    assert values["glibc"] == ("2.41",)
    assert values["python"] == ("3.13.5",)
    assert values["package:accelerate"] == ("1.8.1",)
    assert "package:peft" not in values


def test_bitsandbytes_in_its_older_dialects(read: Read) -> None:
    old = read(
        "CUDA SETUP: CUDA runtime path found: /usr/lib/libcudart.so\nCUDA SETUP: Highest compute capability among GPUs "
        "detected: 7.5\nCUDA SETUP: Detected CUDA version 118\n"
        "CUDA SETUP: Required library version not found: libbitsandbytes_cuda118.so. Maybe you need to compile it?\n"
    )
    assert (old["compute_capability"], old["cudart"]) == (("7.5",), ("11.8",))
    assert old["missing_library"] == ("libbitsandbytes_cuda118.so",)
    newer = read("PyTorch settings found: CUDA_VERSION=124, Highest Compute Capability: 8.9.\n")
    assert (newer["torch_cuda"], newer["compute_capability"]) == (("12.4",), ("8.9",))
    specs = read(
        "CUDA specs: CUDASpecs(highest_compute_capability=(8, 0), cuda_version_string='121', "
        "cuda_version_tuple=(12, 1))"
    )
    assert (specs["torch_cuda"], specs["compute_capability"]) == (("12.1",), ("8.0",))


def test_unsloth_calls_the_capability_cuda(read: Read) -> None:
    values = read(
        "==((====))==  Unsloth 2025.3.19: Fast Llama patching. Transformers: 4.50.0.\n"
        "   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.741 GB. Platform: Linux.\n"
        "O^O/ \\_/ \\    Torch: 2.6.0+cu124. CUDA: 7.5. CUDA Toolkit: 12.4. Triton: 3.2.0\n"
    )
    assert values["compute_capability"] == ("7.5",)
    assert values["torch_cuda"] == ("12.4",)
    assert values["package:triton"] == ("3.2.0",)
    assert values["package:unsloth"] == ("2025.3.19",)
    assert "Tesla T4" in values["gpu"]
    assert "nvcc" not in values
