"""What the running kernel tells of NVIDIA hardware and driver: files under /proc, /sys and /dev."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed
from compatsolver.observation.live.machine import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compatsolver.observation.live.machine import Machine

DEVICES = ("nvidia*", "nvhost-gpu", "nvgpu")
MODULE = "/proc/driver/nvidia/version"

_NVIDIA = "0x10de"
_DISPLAY, _BRIDGE = "0x03", "0x0680"
_MODULE = re.compile(r"^NVRM version:.*?\s(\d{3}(?:\.\d+)+)\s", re.MULTILINE)
_MODEL = re.compile(r"^Model:\s*(\S.*?)\s*$", re.MULTILINE)


class PciDevice(NamedTuple):
    """A device of NVIDIA's on the PCI bus: its folder, id and class, the driver bound to it, and its power state."""

    folder: str
    identity: str
    kind: str
    driver: str | None
    power: str

    @property
    def is_gpu(self) -> bool:
        """Whether it is a graphics or compute device."""
        return self.kind.startswith(_DISPLAY)

    @property
    def is_switch(self) -> bool:
        """Whether it is an NVSwitch."""
        return self.kind.startswith(_BRIDGE)


def read_module_version(machine: Machine) -> Observed | None:
    """The version of the loaded kernel module, `535.161.08`; None where none is loaded."""
    match = _MODULE.search(machine.text(MODULE))
    if match:
        return Observed("kernel_module", match[1], MODULE)
    loaded = machine.text("/sys/module/nvidia/version").strip()
    return Observed("kernel_module", loaded, "/sys/module/nvidia/version") if loaded else None


def observe(machine: Machine) -> Iterator[Observed]:
    """The kernel module, which one it is, and the GPUs on the PCI bus."""
    yield read_module_version(machine) or Observed("kernel_module", NONE, f"no {MODULE}, no /sys/module/nvidia")
    text = machine.text(MODULE)
    if text:
        yield Observed("module_kind", "open" if "Open Kernel Module" in text else "proprietary", MODULE)
    elif machine.path("/sys/module/nouveau").is_dir():
        yield Observed("module_kind", "nouveau", "/sys/module/nouveau")
    for device in pci_devices(machine):
        if device.is_gpu:
            yield Observed("pci_device", device.identity, f"{device.folder}, {_state(device)}")


def pci_devices(machine: Machine) -> list[PciDevice]:
    """The devices of NVIDIA's on the PCI bus."""
    return [
        PciDevice(
            machine.name(folder),
            f"10de:{_word(folder / 'device').removeprefix('0x')}",
            _word(folder / "class"),
            _driver_of(folder),
            _word(folder / "power/runtime_status"),
        )
        for folder in machine.glob("/sys/bus/pci/devices/*")
        if _word(folder / "vendor") == _NVIDIA
    ]


def read_models(machine: Machine) -> tuple[str, ...]:
    """The names of the GPUs that the module serves, empty where one of them is not told."""
    texts = [read_text(file) for file in machine.glob("/proc/driver/nvidia/gpus/*/information")]
    models = [match[1] for text in texts if (match := _MODEL.search(text)) and match[1].casefold() != "unknown"]
    return tuple(models) if len(models) == len(texts) else ()


def find_traces(machine: Machine) -> tuple[str, ...]:
    """Signs of an NVIDIA driver or GPU: the module's folder, device nodes, a GPU on the PCI bus, WSL's door to one."""
    folder = "/proc/driver/nvidia"
    found = [folder] if machine.path(folder).is_dir() else []
    found += [machine.name(node) for pattern in DEVICES for node in machine.glob(f"/dev/{pattern}")]
    found += [f"{gpu.folder} ({gpu.identity}, {_state(gpu)})" for gpu in pci_devices(machine) if gpu.is_gpu]
    libraries = "/usr/lib/wsl/lib/libcuda.so.1"
    if machine.path("/dev/dxg").exists() and machine.path(libraries).exists():
        found.append(libraries)
    return tuple(found)


def _state(device: PciDevice) -> str:
    driven = f"driven by {device.driver}" if device.driver else "driven by nothing"
    return f"{driven}, suspended" if device.power == "suspended" else driven


def _driver_of(folder: Path) -> str | None:
    try:
        return (folder / "driver").readlink().name
    except OSError:
        return None


def _word(file: Path) -> str:
    return read_text(file).strip()
