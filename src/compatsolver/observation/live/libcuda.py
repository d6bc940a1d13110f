"""The CUDA driver library, asked by ctypes for the newest CUDA it runs.

`cuDriverGetVersion` is the one question that needs no `cuInit`: a process that has initialised CUDA can no longer fork
workers that use it, and a probe must not do that to its caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

NAMES = {"Linux": "libcuda.so.1", "Windows": "nvcuda.dll"}


def observe(machine: Machine) -> Iterator[Observed]:
    """The CUDA ceiling of the user-space driver, `none` where there is no such library."""
    name = NAMES.get(machine.system)
    library = machine.load(name) if name else None
    if library is None:
        yield Observed("driver_cuda", NONE, f"the loader finds no {name}" if name else "no CUDA on this system")
        return
    from ctypes import byref, c_int

    version = c_int()
    status = library.cuDriverGetVersion(byref(version))
    if status or not version.value:
        yield Observed("driver_cuda", None, f"{name}: cuDriverGetVersion gives error {status}")
    else:
        level = f"{version.value // 1000}.{version.value % 1000 // 10}"
        yield Observed("driver_cuda", level, f"{name}: cuDriverGetVersion")
