"""Whose machine is it? Flags first, then a described environment, then what may be taken from this interpreter.

With no target at all this machine is read. As soon as anything is given, nothing about GPU and driver is: only
platform, Python and glibc are filled in from this interpreter, and the target says which. The readers of texts are
imported where there is a text to read: a target given axis by axis needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.errors import InputError
from compatsolver.model.request import PLATFORMS, Target

if TYPE_CHECKING:
    from compatsolver.model.environment import Environment

NO_GPU_HERE = "this machine was read: it has no nvidia-smi, no NVIDIA kernel module and no NVIDIA device"

_FLAG_FOR = {
    "driver": "driver",
    "nvidia_smi_cuda": "driver",
    "kernel_module": "driver",
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
        from compatsolver.observation.target import target_of

        machine = probe()
        remarks = machine.not_understood or (() if machine.gpu else (NO_GPU_HERE,))
        return _with_defaults(target_of(machine))._replace(probed=True, assumed=(), remarks=remarks)
    return _with_defaults(given)


def _merged(flags: Target, environment: Environment) -> Target:
    """Flags win over the file, axis by axis; what the file gives and nobody can read stays known as unread."""
    from compatsolver.observation.target import target_of

    described = target_of(environment)
    odd = environment.not_understood
    unread = [line for line in odd if line.partition(":")[0] in _FLAG_FOR]
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
        remarks=tuple(
            f"not understood and left out: {line}" for line in environment.not_understood if line not in unread
        ),
        unread=tuple(line for line in unread if not getattr(flags, _FLAG_FOR[line.partition(":")[0]])),
    )


def _with_defaults(target: Target, *, is_elsewhere: bool = False) -> Target:
    """Fill in from this interpreter; the C library of a system described elsewhere stays a condition of the answer."""
    if target.platform and target.python and (target.glibc or is_elsewhere):
        return target
    from compatsolver.observation.live import interpreter
    from compatsolver.observation.target import python_version

    found: dict[str, Any] = {}
    if target.platform is None:
        found["platform"] = "linux-x86_64" if target.wsl else _platform_here()
    platform = target.platform or found["platform"] or ""
    if target.python is None:
        found["python"] = python_version(interpreter.read_python())
    if target.glibc is None and platform.startswith("linux") and not is_elsewhere:
        found["glibc"] = interpreter.read_glibc()
    assumed = [axis for axis, text in found.items() if text]
    return target._replace(**found, assumed=(*target.assumed, *assumed))


def _platform_here() -> str:
    from compatsolver.model.environment import Environment
    from compatsolver.observation.live import interpreter
    from compatsolver.observation.target import target_of

    this_machine = Environment(os=interpreter.read_system(), arch=interpreter.read_architecture())
    here = target_of(this_machine).platform
    if here is None:
        raise InputError(
            "this interpreter's platform is none that PyTorch has builds for",
            hint="name the target's: --platform " + "|".join(PLATFORMS),
        )
    return here
