"""Jetson: a system on a chip whose GPU is on no bus and whose driver comes with Jetson Linux."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

MODEL = "/proc/device-tree/model"
RELEASE = "/etc/nv_tegra_release"
_RELEASE = re.compile(r"R(\d+)\b.*?REVISION:\s*([\d.]+)")
_KIT = re.compile(r"(?: Engineering Reference)? Developer Kit.*")
_JETPACK = re.compile(r"^Package: nvidia-jetpack\n(?:.+\n)*?Version: (\d+\.\d+(?:\.\d+)?)", re.MULTILINE)


def read_model(machine: Machine) -> str | None:
    """The module, `Jetson AGX Orin` of the board `NVIDIA Jetson AGX Orin Developer Kit`; None on other machines."""
    text = machine.text(MODEL).strip("\0 \n")
    return _KIT.sub("", text).removeprefix("NVIDIA ") if "jetson" in text.casefold() else None


def observe(machine: Machine) -> Iterator[Observed]:
    """The release of Jetson Linux and that of JetPack."""
    if release := _RELEASE.search(machine.text(RELEASE)):
        yield Observed("l4t", f"{release[1]}.{release[2]}", RELEASE)
        if jetpack := _JETPACK.search(machine.text("/var/lib/dpkg/status")):
            yield Observed("jetpack", jetpack[1], "/var/lib/dpkg/status")
