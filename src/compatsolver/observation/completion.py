"""Whose machine is it? Flags first, then a described environment, then what may be taken from this interpreter.

With no target at all this machine is read. As soon as anything is given, nothing about GPU and driver is: only
platform, Python and glibc are filled in from this interpreter, and the target says which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import InputError
from compatsolver.model.environment import Environment
from compatsolver.model.request import PLATFORMS, Target
from compatsolver.observation.live import interpreter
from compatsolver.observation.target import driver_number, python_version, target_of

NO_GPU_HERE = "this machine was read: it has no nvidia-smi, no NVIDIA kernel module and no NVIDIA device"

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def complete(given: Target, environment: Environment | None) -> Target:
    """The target to answer for; raises ProbeError where this machine is meant and cannot be read."""
    if environment is not None:
        return _with_defaults(_merged(given, environment), is_elsewhere=environment.os is not None)
    if given == Target():
        from compatsolver.observation.live.collect import probe

        machine = probe()
        remarks = machine.not_understood or (() if machine.gpu else (NO_GPU_HERE,))
        return _with_defaults(target_of(machine))._replace(probed=True, assumed=(), remarks=remarks)
    return _with_defaults(given)


def _merged(flags: Target, environment: Environment) -> Target:
    """Flags win over the file, axis by axis; what the file gives and nobody can read stays known as unread."""
    described = target_of(environment)
    unread = [line for line in environment.not_understood if line.partition(":")[0] in _FLAG_FOR]
    left_out = [line for line in environment.not_understood if line not in unread]
    return Target(
        gpus=described.gpus if flags.gpus is None else flags.gpus,
        driver=flags.driver or described.driver,
        driver_cuda=None if flags.driver else described.driver_cuda,
        python=flags.python or described.python,
        platform=flags.platform or described.platform,
        glibc=flags.glibc or described.glibc,
        wsl=flags.wsl or described.wsl,
        container=flags.container or described.container,
        assumed=described.assumed if flags.platform is None else (),
        remarks=(*_of_two_drivers(environment), *(f"not understood and left out: {line}" for line in left_out)),
        unread=tuple(line for line in unread if not getattr(flags, _FLAG_FOR[line.partition(":")[0]])),
    )


def _of_two_drivers(environment: Environment) -> Iterator[str]:
    loaded, told = driver_number(environment.kernel_module or ""), driver_number(environment.driver or "")
    if loaded and told and loaded != told:
        yield f"the driver is {told} and the loaded kernel module {loaded}: reboot first; this is for {told}"


def _with_defaults(target: Target, *, is_elsewhere: bool = False) -> Target:
    """Fill in from this interpreter; the C library of a system described elsewhere stays a condition of the answer."""
    assumed = list(target.assumed)
    this_machine = Environment(os=interpreter.read_system(), arch=interpreter.read_architecture())
    here = target_of(this_machine).platform
    if target.platform is None:
        if here is None:
            raise InputError(
                "this interpreter's platform is none that PyTorch has builds for",
                hint="name the target's: --platform " + "|".join(PLATFORMS),
            )
        target = target._replace(platform="linux-x86_64" if target.wsl else here)
        assumed.append("platform")
    if target.python is None:
        target = target._replace(python=python_version(interpreter.read_python()))
        assumed.append("python")
    if (
        target.glibc is None
        and not is_elsewhere
        and (target.platform or "").startswith("linux")
        and interpreter.read_glibc()
    ):
        target = target._replace(glibc=interpreter.read_glibc())
        assumed.append("glibc")
    return target._replace(assumed=tuple(assumed))
