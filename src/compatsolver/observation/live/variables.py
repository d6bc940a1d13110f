"""Environment variables: those that change what CUDA and PyTorch do, and those that answer in the machine's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIX = "COMPATSOLVER_"
OVERRIDES = {
    "GPU": "gpu",
    "COMPUTE_CAPABILITY": "compute_capability",
    "DRIVER": "driver",
    "DRIVER_CUDA": "driver_cuda",
    "OS": "os",
    "ARCH": "arch",
    "GLIBC": "glibc",
    "WSL": "wsl",
    "CONTAINER": "container",
    "NVCC": "nvcc",
    "GCC": "gcc",
}
"""What stands behind the prefix, and the axis it sets. `none` says that the machine has none."""

_OF_INTEREST = (
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_MODULE_LOADING",
    "CUDA_LAUNCH_BLOCKING",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_DISABLE_REQUIRE",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "TORCH_CUDA_ARCH_LIST",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NVML_BASED_CUDA_CHECK",
    "BNB_CUDA_VERSION",
    "CONDA_PREFIX",
    "VIRTUAL_ENV",
)
_FAMILIES = ("NCCL_",)


def overrides(environ: Mapping[str, str]) -> Iterator[Observed]:
    """Axes that variables set; they win over all that is read, and what they set is not asked for."""
    for name, axis in OVERRIDES.items():
        value = environ.get(PREFIX + name, "").strip()
        if value:
            yield Observed(axis, value, f"variable {PREFIX}{name}")


def of_interest(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that change what CUDA and PyTorch do; no other is read, let alone told."""
    return {
        name: value for name, value in sorted(environ.items()) if name in _OF_INTEREST or name.startswith(_FAMILIES)
    }
