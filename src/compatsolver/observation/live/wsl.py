"""Linux under Windows: its generation, and whose libcuda it would load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed
from compatsolver.observation.live.container import is_container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

KERNEL = "/proc/version"
LIBRARIES = "/usr/lib/wsl/lib"
_PLACES = ("usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib")


def read_generation(machine: Machine) -> str | None:
    """`1` or `2`; None where this is not WSL. Only the second runs a kernel of Linux, and only it has a GPU."""
    text = machine.text(KERNEL).casefold()
    if "microsoft" not in text:
        return None
    return "2" if "wsl2" in text or "microsoft-standard" in text else "1"


def observe(machine: Machine) -> Iterator[Observed]:
    """The generation, the Windows driver's libcuda, and every libcuda of a Linux driver that stands in its way."""
    generation = read_generation(machine)
    yield Observed("wsl", generation or NONE, KERNEL)
    if generation is None:
        return
    provided = f"{LIBRARIES}/libcuda.so.1"
    if not machine.path(provided).exists():
        yield Observed("wsl_libcuda", NONE, f"no {provided}")
    else:
        yield Observed("wsl_libcuda", provided, "the Windows driver's folder")
    for place in () if is_container(machine) else _PLACES:
        for file in machine.glob(f"/{place}/libcuda.so.[0-9]*.[0-9]*"):
            yield Observed("linux_driver_in_wsl", file.name.removeprefix("libcuda.so."), machine.name(file))
