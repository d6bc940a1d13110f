"""Flags win over a described environment, axis by axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.request import Target
from compatsolver.observation.target import driver_number, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.environment import Environment

_FLAG_FOR = {
    "driver": "driver",
    "nvidia_smi_cuda": "driver",
    "kernel_module": "driver",
    "gpu": "gpus",
    "compute_capability": "gpus",
    "python": "python",
    "glibc": "glibc",
    "os": "platform",
}
_ALIKE = ("python", "glibc", "wsl", "container")


def merged(flags: Target, environment: Environment) -> Target:
    """Flags win over the file, axis by axis; what the file gives and nobody can read stays known as unread."""
    described = target_of(environment)
    unread = [line for line in environment.not_understood if line.partition(":")[0] in _FLAG_FOR]
    left_out = [line for line in environment.not_understood if line not in unread]
    return Target(
        gpus=described.gpus if flags.gpus is None else flags.gpus,
        driver=flags.driver or described.driver,
        driver_cuda=None if flags.driver else described.driver_cuda,
        python=flags.python or described.python,
        python_patch=None if flags.python else described.python_patch,
        platform=flags.platform or described.platform,
        glibc=flags.glibc or described.glibc,
        wsl=flags.wsl or described.wsl,
        container=flags.container or described.container,
        assumed=described.assumed if flags.platform is None else (),
        remarks=(*_of_two_drivers(environment), *(f"not understood and left out: {line}" for line in left_out)),
        unread=tuple(line for line in unread if not getattr(flags, _FLAG_FOR[line.partition(":")[0]])),
    )


def overridden(flags: Target, environment: Environment) -> Environment:
    """The document with the axes of the flags in place of its own, and without what was read for those."""
    changes: dict[str, Any] = {}
    if flags.gpus is not None:
        changes |= {"gpu": flags.gpus, "compute_capability": None, "devices": ()}
    if flags.driver:
        changes |= {"driver": flags.driver, "nvidia_smi_cuda": None, "kernel_module": None}
    if flags.platform:
        changes["os"], _, changes["arch"] = flags.platform.partition("-")
    changes |= {axis: value for axis in _ALIKE if (value := getattr(flags, axis))}
    if not changes:
        return environment
    kept = tuple(row for row in environment.observed if row.axis not in changes)
    return environment._replace(**changes, observed=kept, findings=())


def _of_two_drivers(environment: Environment) -> Iterator[str]:
    loaded, told = driver_number(environment.kernel_module or ""), driver_number(environment.driver or "")
    if loaded and told and loaded != told:
        yield f"the driver is {told} and the loaded kernel module {loaded}: reboot first; this is for {told}"
