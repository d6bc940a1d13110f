"""A program of its own, started by `nvml`: ask NVML through nvidia-ml-py and print what it says as JSON.

It is another process because a driver that hangs or crashes takes whoever asked it along. Nothing of the package is
imported, so that it starts quickly and runs from the file alone. The argument is the folder that holds `pynvml`.
"""

from __future__ import annotations

import json
import sys
from ctypes import byref
from typing import Any

_VIRTUAL = {1: "passthrough", 2: "vgpu", 3: "vgpu host", 4: "vgpu host"}
_FABRIC = {1: "not started", 2: "in progress", 3: "completed"}
_MEBIBYTE = 1024 * 1024


def report(nvml: Any) -> dict[str, Any]:
    """What NVML says of driver and GPUs; with `problem` alone where it cannot be started."""
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        return {"problem": str(error)}
    try:
        count = _ask(nvml, "nvmlDeviceGetCount")
        return {
            "driver": _ask(nvml, "nvmlSystemGetDriverVersion"),
            "nvml_library": _ask(nvml, "nvmlSystemGetNVMLVersion"),
            "cuda": _ask(nvml, "nvmlSystemGetCudaDriverVersion_v2"),
            "devices": None if count is None else [_device(nvml, index) for index in range(count)],
        }
    finally:
        nvml.nvmlShutdown()


def _device(nvml: Any, index: int) -> dict[str, Any]:
    try:
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
    except nvml.NVMLError as error:
        return {"problem": str(error)}
    capability = _ask(nvml, "nvmlDeviceGetCudaComputeCapability", handle)
    memory = _ask(nvml, "nvmlDeviceGetMemoryInfo", handle)
    mode = _ask(nvml, "nvmlDeviceGetMigMode", handle)
    return {
        "name": _ask(nvml, "nvmlDeviceGetName", handle),
        "compute_capability": "{}.{}".format(*capability) if capability else None,
        "memory": memory.total // _MEBIBYTE if memory else None,
        "uuid": _ask(nvml, "nvmlDeviceGetUUID", handle),
        "mig": None if mode is None else "enabled" if mode[0] else "disabled",
        "slices": _slices(nvml, handle) if mode and mode[0] else [],
        "virtualization": _VIRTUAL.get(_ask(nvml, "nvmlDeviceGetVirtualizationMode", handle)),
        "fabric": _fabric(nvml, handle),
    }


def _slices(nvml: Any, handle: Any) -> list[str]:
    """The MIG devices of a GPU, whose profile is the end of their name: `NVIDIA H100 80GB HBM3 MIG 3g.40gb`."""
    most = _ask(nvml, "nvmlDeviceGetMaxMigDeviceCount", handle) or 0
    devices = [_ask(nvml, "nvmlDeviceGetMigDeviceHandleByIndex", handle, index) for index in range(most)]
    names = [_ask(nvml, "nvmlDeviceGetName", device) for device in devices if device is not None]
    return [name.rpartition("MIG ")[2] for name in names if name]


def _fabric(nvml: Any, handle: Any) -> str | None:
    information = nvml.c_nvmlGpuFabricInfo_t()
    answer = _ask(nvml, "nvmlDeviceGetGpuFabricInfo", handle, byref(information))
    return None if answer is None else _FABRIC.get(information.state)


def _ask(nvml: Any, question: str, *about: Any) -> Any:
    """The answer; None where this GPU, this driver or this nvidia-ml-py does not know the question."""
    ask = getattr(nvml, question, None)
    if ask is None:
        return None
    try:
        return ask(*about)
    except nvml.NVMLError:
        return None


def main(folder: str) -> None:
    """Print the report as one JSON document."""
    sys.path.append(folder)
    import pynvml

    sys.stdout.write(json.dumps(report(pynvml)))


if __name__ == "__main__":
    main(sys.argv[1])
