"""The keys of environment reports and the axis that each means, by the program that prints them.

A key is in lower case, without back quotes and emoji. Where one key means different things in different programs
("CUDA": the capability in one, the runtime in another) it is not here but in the reader of that program.
"""

from __future__ import annotations

import re

from compatsolver.observation.formats.values import package_name

PACKAGES = frozenset(
    (
        *("torch", "pytorch", "torchvision", "torchaudio", "torchtext", "torchao", "torchdata", "triton"),
        *("vllm", "sglang", "xformers", "bitsandbytes", "transformers", "accelerate", "diffusers", "peft"),
        *("trl", "deepspeed", "datasets", "flash-attn", "flash-attention", "flashinfer", "flashinfer-python"),
        *("safetensors", "tokenizers", "numpy", "scipy", "huggingface-hub", "sentence-transformers"),
        *("pytorch-lightning", "lightning", "unsloth", "unsloth-zoo", "axolotl", "llamafactory", "ctranslate2"),
        *("faster-whisper", "onnxruntime", "onnxruntime-gpu", "tensorrt", "tensorrt-llm", "mmcv", "mmcv-full"),
        *("mmdet", "mmengine", "detectron2", "apex", "cupy", "jax", "jaxlib", "tensorflow", "keras"),
        *("sgl-kernel", "sglang-kernel", "lmdeploy", "auto-gptq", "gptqmodel", "autoawq", "optimum"),
        *("exllamav2", "ninja", "transformer-engine", "megatron-core", "nemo-toolkit", "timm", "fairseq"),
        *("kornia", "opencv-python", "pandas", "torch-geometric", "torch-scatter", "torch-sparse", "pyg-lib"),
        *("pytorch3d", "spconv", "causal-conv1d", "mamba-ssm", "sageattention", "liger-kernel", "ray"),
        *("outlines", "openai-whisper", "whisperx", "stable-fast", "onnx", "dgl", "cudatoolkit"),
        *("pytorch-cuda", "llama-cpp-python", "fbgemm-gpu", "torchrec"),
    )
)

_NOT_ON_INDEX = frozenset(("apex", "cudatoolkit", "detectron2", "flashinfer", "pyg-lib", "pytorch-cuda"))
"""Packages that PyPI does not have, or has as something else (`apex`): source builds, own indexes, conda."""
_OF_CUDA = re.compile(r"nvidia-[a-z-]{3,30}-cu1[1-3]")


def on_index(name: str) -> bool:
    """Whether `pip install NAME` is known to install that package from the default index."""
    name = package_name(name)
    return (name in PACKAGES and name not in _NOT_ON_INDEX) or _OF_CUDA.fullmatch(name) is not None


_COLLECT_ENV = {
    "pytorch version": "package:torch",
    "cuda used to build pytorch": "torch_cuda",
    "rocm used to build pytorch": "torch_hip",
    "os": "os",
    "gcc version": "gcc",
    "clang version": "clang",
    "cmake version": "cmake",
    "libc version": "glibc",
    "python version": "python",
    "python platform": "kernel",
    "is cuda available": "cuda_available",
    "cuda runtime version": "nvcc",
    "nvidia driver version": "driver",
    "cudnn version": "cudnn",
    "architecture": "arch",
    "vllm version": "package:vllm",
    "gpu models and configuration": "gpu",
}
_OPENMMLAB = {
    "python": "python",
    "cuda available": "cuda_available",
    "gpu available": "cuda_available",
    "cuda_home": "cuda_home",
    "nvcc": "nvcc",
    "gcc": "gcc",
    "cuda driver version": "driver",
    "driver version": "driver",
    "cuda compiler": "nvcc",
    "detectron2 cuda compiler": "nvcc",
    "cuda runtime": "torch_cuda",
}
_DEEPSPEED = {
    "torch version": "package:torch",
    "torch cuda version": "torch_cuda",
    "torch hip version": "torch_hip",
    "nvcc version": "nvcc",
    "deepspeed info": "package:deepspeed",
}
_HUGGING_FACE = {
    "platform": "kernel",
    "pytorch version (gpu?)": "package:torch",
    "pytorch version (accelerator?)": "package:torch",
    "gpu type": "gpu",
    "gpu number": "device_count",
    "accelerator": "gpu",
    "llamafactory version": "package:llamafactory",
}
_XFORMERS = {
    "pytorch.version": "package:torch",
    "gpu.compute_capability": "compute_capability",
    "gpu.name": "gpu",
    "pytorch.cuda": "cuda_available",
}
_WORDS = {
    "operating system": "os",
    "python executable version": "python",
    "nvidia driver": "driver",
    "gpu driver": "driver",
    "gpu driver version": "driver",
    "driver": "driver",
    "显卡驱动": "driver",
    "驱动版本": "driver",
    "显卡": "gpu",
    "操作系统": "os",
    "系统": "os",
    "python版本": "python",
    "gpu": "gpu",
    "gpus": "gpu",
    "gpu name": "gpu",
    "gpu model": "gpu",
    "graphics card": "gpu",
    "device name": "gpu",
    "compute capability": "compute_capability",
    "cuda capability": "compute_capability",
    "compute_cap": "compute_capability",
    "cuda capability major/minor version number": "compute_capability",
    "torch.cuda.is_available()": "cuda_available",
    "torch.cuda.is_available": "cuda_available",
    "torch.cuda.device_count()": "device_count",
    "torch.version.cuda": "torch_cuda",
    "torch.version.hip": "torch_hip",
    "torch.__version__": "package:torch",
    "torch cuda": "torch_cuda",
    "pytorch cuda version": "torch_cuda",
    "pytorch cuda": "torch_cuda",
    "torch.backends.cudnn.version()": "cudnn",
    "cuda toolkit": "nvcc",
    "cuda toolkit version": "nvcc",
    "glibc": "glibc",
    "glibc version": "glibc",
    "gcc/g++": "gcc",
    "jetpack": "jetpack",
    "l4t": "l4t",
    "kernel": "kernel",
    "kernel version": "kernel",
    "cuda driver version": "driver_cuda",
}
REPORTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("collect_env", _COLLECT_ENV),
    ("ds_report", _DEEPSPEED),
    ("transformers-cli env", _HUGGING_FACE),
    ("xformers.info", _XFORMERS),
    ("environment report", _OPENMMLAB),
    ("stated", _WORDS),
)


def key_table() -> dict[str, tuple[str, str]]:
    """Key to dialect and axis; an earlier report's meaning stands, and "X version" is a package for each known one."""
    table: dict[str, tuple[str, str]] = {}
    for dialect, keys in REPORTS:
        for key, axis in keys.items():
            table.setdefault(key, (dialect, axis))
    for name in sorted(PACKAGES):
        axis = f"package:{package_name(name)}"
        for spelled in {name, name.replace("-", "_"), name.replace("-", " ")}:
            for key in (spelled, f"{spelled} version", f"{spelled} 版本", f"{spelled}版本", f"{spelled}.__version__"):
                table.setdefault(key, ("environment report", axis))
    return table
