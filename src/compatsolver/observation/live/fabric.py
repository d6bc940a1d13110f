"""NVSwitches and the fabric manager that has to run beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed
from compatsolver.observation.live.container import is_container
from compatsolver.observation.live.kernel import pci_devices
from compatsolver.observation.live.machine import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

_PROCESS = "nv-fabricmanage"
"""The name of its process as the kernel keeps it: the first 15 characters."""


def observe(machine: Machine) -> Iterator[Observed]:
    """How many NVSwitches there are, and only where there are any whether the fabric manager runs."""
    nodes = machine.glob("/dev/nvidia-nvswitch[0-9]*")
    switches = [device.folder for device in pci_devices(machine) if device.is_switch]
    count = max(len(nodes), len(switches))
    if not count:
        return
    yield Observed("nvswitch", str(count), "/dev/nvidia-nvswitch*" if nodes else "/sys/bus/pci/devices")
    running = next((file for file in machine.glob("/proc/[0-9]*/comm") if read_text(file).startswith(_PROCESS)), None)
    if running:
        yield Observed("fabric_manager", "running", machine.name(running))
    elif is_container(machine):
        yield Observed("fabric_manager", None, "a container does not see the host's processes")
    else:
        yield Observed("fabric_manager", NONE, "no process nv-fabricmanager under /proc")
