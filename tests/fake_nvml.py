"""A program in place of `nvml_report`'s own: the same report by the real nvidia-ml-py, over a made-up libnvidia-ml.

Only the shared library is not real. It takes the C arguments that the binding passes, writes into them and returns
NVML's codes. The argument is a JSON file: `error` is the code of `nvmlInit`, `hangs` makes it wait, `crashes` ends the
process by a signal as a broken library does.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pynvml

from compatsolver.observation.live import nvml_report

VIRTUALIZATION = {"none": 0, "passthrough": 1, "vgpu": 2, "vgpu host": 3}
FABRIC = {"not started": 1, "in progress": 2, "completed": 3}
SUCCESS, NOT_SUPPORTED, NOT_FOUND = 0, 3, 6
MIG = 1000
"""Handles are numbers: of GPU 2 it is 3, of its second MIG device 3002."""


def library(host: dict[str, Any]) -> SimpleNamespace:
    """The functions that the report calls, for a host of JSON."""
    devices = host.get("devices", [])

    def start(_flags: int) -> int:
        if host.get("crashes"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if host.get("hangs"):
            time.sleep(60)
        return int(host.get("error", 0))

    def told(key: str) -> Any:
        def give(buffer: Any, _size: Any) -> int:
            buffer.value = host[key].encode()
            return SUCCESS

        return give

    def of_device(key: str, write: Any) -> Any:
        def give(handle: Any, *into: Any) -> int:
            value = devices[_number(handle) % MIG - 1].get(key)
            if value is None:
                return NOT_SUPPORTED
            write(value, *into)
            return SUCCESS

        return give

    def name(handle: Any, buffer: Any, _size: Any) -> int:
        device = devices[_number(handle) % MIG - 1]
        slices = device.get("slices", [])
        number = _number(handle) // MIG
        buffer.value = (device["name"] + (f" MIG {slices[number - 1]}" if number else "")).encode()
        return SUCCESS

    def handle_of(index: Any, into: Any) -> int:
        if error := devices[index.value].get("error"):
            return int(error)
        return _set(into, index.value + 1)

    def slice_of(handle: Any, index: Any, into: Any) -> int:
        if index.value >= len(devices[_number(handle) - 1].get("slices", [])):
            return NOT_FOUND
        return _set(into, (index.value + 1) * MIG + _number(handle))

    return SimpleNamespace(
        nvmlInitWithFlags=start,
        nvmlShutdown=lambda: SUCCESS,
        nvmlSystemGetDriverVersion=told("driver"),
        nvmlSystemGetNVMLVersion=told("nvml_library"),
        nvmlSystemGetCudaDriverVersion_v2=lambda into: _put(into, host["cuda"]),
        nvmlDeviceGetCount_v2=lambda into: _put(into, len(devices)),
        nvmlDeviceGetHandleByIndex_v2=handle_of,
        nvmlDeviceGetName=name,
        nvmlDeviceGetUUID=of_device("uuid", lambda value, buffer, _: setattr(buffer, "value", value.encode())),
        nvmlDeviceGetCudaComputeCapability=of_device("compute_capability", _capability),
        nvmlDeviceGetMemoryInfo=of_device("memory", lambda value, into: setattr(into._obj, "total", value * 1024**2)),
        nvmlDeviceGetMigMode=of_device("mig", lambda value, now, _: _put(now, int(value == "enabled"))),
        nvmlDeviceGetMaxMigDeviceCount=lambda _, into: _put(into, 7),
        nvmlDeviceGetMigDeviceHandleByIndex=slice_of,
        nvmlDeviceGetVirtualizationMode=of_device("virtualization", _virtualization),
        nvmlDeviceGetGpuFabricInfo=of_device("fabric", lambda word, into: setattr(into._obj, "state", FABRIC[word])),
    )


def _put(into: Any, value: int) -> int:
    into._obj.value = value
    return SUCCESS


def _virtualization(word: str, into: Any) -> None:
    _put(into, VIRTUALIZATION[word])


def _set(into: Any, number: int) -> int:
    """Write a handle, which is a pointer to something that only the library knows."""
    ctypes.c_void_p.from_address(ctypes.addressof(into._obj)).value = number
    return SUCCESS


def _number(handle: Any) -> int:
    return int(ctypes.c_void_p.from_buffer(handle).value or 0)


def _capability(text: str, major: Any, minor: Any) -> None:
    numbers = text.split(".")
    _put(major, int(numbers[0]))
    _put(minor, int(numbers[1]))


if __name__ == "__main__":
    pynvml.nvmlLib = library(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    nvml_report.main("")
