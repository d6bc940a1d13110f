from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release Build",
            "kernel_module",
            "570.158.01",
        ),
        (
            "[   4.1] nvidia: loading NVIDIA UNIX x86_64 Kernel Module  470.256.02  Thu May",
            "kernel_module",
            "470.256.02",
        ),
        ("kernel: NVRM:  information.  The 590.44.01 NVIDIA driver will ignore", "driver", "590.44.01"),
        ("libcuda.so.545.29.06", "libcuda", "545.29.06"),
        ("ldd (GNU libc) 2.17", "glibc", "2.17"),
        ("glibc 2.31", "glibc", "2.31"),
        ("Linux box 5.15.167.4-microsoft-standard-WSL2 #1 SMP x86_64 GNU/Linux", "wsl", "2"),
        ("Linux node 5.4.0-150-generic #167 SMP x86_64 GNU/Linux", "kernel", "5.4.0-150-generic"),
        ("Microsoft Windows [Version 10.0.22631.4317]", "windows_build", "10.0.22631.4317"),
        ('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', "os", "Debian GNU/Linux 12 (bookworm)"),
        ("CentOS Linux release 7.9.2009 (Core)", "os", "CentOS Linux release 7.9.2009"),
        ("# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref", "l4t", "35.4.1"),
        ("JetPack 6.1, Orin NX", "jetpack", "6.1"),
        ("OSError: [WinError 126] the module could not be found", "os", "Windows"),
        ("FROM nvidia/cuda:12.6.3-cudnn-devel-ubuntu24.04 AS base", "container_cuda", "12.6.3"),
        ("FROM nvidia/cuda:12.6.3-cudnn-devel-ubuntu24.04 AS base", "nvcc", "12.6.3"),
        ("FROM nvidia/cuda:11.7.1-cudnn8-runtime-rockylinux8", "container_cudnn", "8"),
        ("docker pull pytorch/pytorch:2.4.0-cuda12.1-cudnn9-runtime", "package:torch", "2.4.0"),
        ("docker run --gpus all vllm/vllm-openai:v0.8.4 --model m", "package:vllm", "0.8.4"),
        ("docker run --gpus all nvcr.io/nvidia/pytorch:24.05-py3", "container", "nvcr.io/nvidia/pytorch:24.05-py3"),
        ("podman run --rm --device nvidia.com/gpu=all x", "container", "podman"),
        (
            "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4, please update",
            "required_cuda",
            "12.4",
        ),
        ("/kaggle/working/train.py", "container", "Kaggle notebook"),
        ("export CUDA_VISIBLE_DEVICES=2,3", "env:CUDA_VISIBLE_DEVICES", "2,3"),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = '1'", "env:CUDA_VISIBLE_DEVICES", "1"),
        ("CUDA_VISIBLE_DEVICES=", "env:CUDA_VISIBLE_DEVICES", ""),
        (
            "$ echo $LD_LIBRARY_PATH\n/opt/lib:/usr/local/cuda-11.2/lib64",
            "env:LD_LIBRARY_PATH",
            "/opt/lib:/usr/local/cuda-11.2/lib64",
        ),
        (">>> torch.__version__\n'2.0.0+cu117'", "package:torch", "2.0.0+cu117"),
        (">>> import torch; print(torch.cuda.is_available())\nFalse", "cuda_available", "false"),
        (">>> torch.version.cuda\n>>> torch.cuda.is_available()\nFalse", "cuda_available", "false"),
        ("In [3]: torch.cuda.get_arch_list()\nOut[3]: ['sm_60', 'compute_90']", "torch_archs", "sm_60 compute_90"),
        (">>> torch.cuda.get_device_capability(0)\n(6, 1)", "compute_capability", "6.1"),
        (">>> torch._C._GLIBCXX_USE_CXX11_ABI\nFalse", "torch_cxx11_abi", "false"),
        (
            '$ python -c "import torch;print(torch.__version__,torch.cuda.is_available())"\n2.3.0 True',
            "cuda_available",
            "true",
        ),
        ("Python 3.11.5 (main, Sep 11 2023) [GCC 11.2.0] on linux", "python", "3.11.5"),
        (r"C:\Users\me\AppData\Local\Programs\Python\Python310\lib\site.py", "python", "3.10"),
        ("$ uname -m\naarch64", "arch", "aarch64"),
    ],
)
def test_one_line(read: Read, text: str, axis: str, value: str) -> None:
    assert value in read(text).get(axis, ())


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("I have an RTX 3060 12GB with driver 531.79 on Windows 11", "gpu", "RTX 3060 12GB"),
        ("I have an RTX 3060 12GB with driver 531.79 on Windows 11", "driver", "531.79"),
        ("I have an RTX 3060 12GB with driver 531.79 on Windows 11", "os", "Windows 11"),
        ("two A100 and one H200, torch 2.5.0+cu124", "gpu", "H200"),
        ("torch: 2.1.2 (cu118), torchvision 0.16.2", "package:torch", "2.1.2+cu118"),
        ("nvidia-cusparse-cu12 12.5.4.2 is there", "package:nvidia-cusparse-cu12", "12.5.4.2"),
        ("torch nightly cu128 on my machine", "package:torch", "+cu128"),
        ("显卡是 Tesla P4,驱动版本 440.33.01,python3.8.5", "driver", "440.33.01"),
        ("nvidia-smi shows CUDA version 11.6", "driver_cuda", "11.6"),
        ("CUDA version: 12.4 (from nvidia-smi)", "driver_cuda", "12.4"),
        ("my Laptop has GeForce RTX 4070 Laptop GPU", "gpu", "GeForce RTX 4070 Laptop GPU"),
        ("Radeon: AMD Radeon RX 6800 XT", "gpu", "AMD Radeon RX 6800 XT"),
    ],
)
def test_words(read: Read, text: str, axis: str, value: str) -> None:
    assert value in read(text).get(axis, ())


@pytest.mark.parametrize(
    "text",
    [
        "CUDA version 12.1",
        "cuda 11.8, cudnn something",
        "you should use torch 2.4.0",
        "torch 2.3.0 works for me on another machine",
        "requires torch>=2.1 and driver 550.54 or newer",
        "epoch 3 loss 0.123 torch.Size([2, 3])",
        "pip install torch==2.4.0",
        "please upgrade the driver to 560.35",
    ],
)
def test_words_that_state_nothing(read: Read, text: str) -> None:
    told = {
        axis
        for axis in read(text)
        if axis.startswith("package:") or axis in ("driver", "driver_cuda", "nvcc", "torch_cuda")
    }
    assert not told


@pytest.mark.parametrize(
    "text",
    [
        "gpu = args.gpu",
        "os: the one below",
        "architecture: LlamaForCausalLM",
        "kernel: 0.5",
        "PyTorch version              : {torch_version}",
        "GPU models and configuration : {nvidia_gpu_models}",
        "driver = webdriver.Chrome()",
        "image = Image.open(path)",
        "Which one do you use, WSL 1 or WSL 2?",
        "- [ ] WSL 1",
        "Set it to an empty string: export BNB_CUDA_VERSION=",
        "for example add the following: export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/a",
        "version_str = torch.__version__",
        "model = torch.nn.Linear(4, 2)  # version 2.0",
    ],
)
def test_code_templates_and_advice_say_nothing(read: Read, text: str) -> None:
    assert read(text) == {}


def test_the_compiler_of_the_kernel_is_not_the_host_compiler(read: Read) -> None:
    values = read(
        "Linux version 5.10.16.3-microsoft-standard-WSL2 (a@b) (gcc version 8.4.0 (GCC)) #1\n$ gcc version is 12.3.0"
    )
    assert values["gcc"] == ("12.3.0",)


def test_an_old_header_names_its_limit_otherwise(read: Read) -> None:
    assert read("#error -- unsupported GNU version! gcc 4.9 and up are not supported!") == {"gcc_limit": ("4.8",)}


def test_versions_in_brackets(read: Read) -> None:
    values = read("   - pytorch package (version 1.8.1)\n   - torchvision (version 0.9.1)")
    assert values == {"package:torch": ("1.8.1",), "package:torchvision": ("0.9.1",)}
