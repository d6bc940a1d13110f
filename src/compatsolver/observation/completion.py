"""Whose machine is it? Flags first, then a described environment, then what may be taken from this interpreter.

With no target at all this machine is read. As soon as anything is given, nothing about GPU and driver is: only
platform, Python and glibc are filled in from this interpreter, and the target says which. What reads texts is imported
where there are any: a target that is given axis by axis needs none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.request import Target

if TYPE_CHECKING:
    from compatsolver.model.environment import Environment

NO_GPU_HERE = "this machine was read: it has no nvidia-smi, no NVIDIA kernel module and no NVIDIA device"


def complete(given: Target, environment: Environment | None) -> Target:
    """The target to answer for; raises ProbeError where this machine is meant and cannot be read."""
    if environment is not None:
        from compatsolver.observation.precedence import merged

        return _with_defaults(merged(given, environment), is_elsewhere=environment.os is not None)
    return _probed() if given == Target() else _with_defaults(given)


def _probed() -> Target:
    from compatsolver.observation.live.collect import probe_target
    from compatsolver.observation.target import target_of

    machine = probe_target()
    remarks = machine.not_understood or (() if machine.gpu else (NO_GPU_HERE,))
    return _with_defaults(target_of(machine))._replace(probed=True, assumed=(), remarks=remarks)


def _with_defaults(target: Target, *, is_elsewhere: bool = False) -> Target:
    """Fill in from this interpreter; the C library of a system described elsewhere stays a condition of the answer."""
    if target.platform and target.python and (target.glibc or is_elsewhere):
        return target
    from compatsolver.observation.live import here

    found: dict[str, Any] = {}
    platform = target.platform or ("linux-x86_64" if target.wsl else here.platform())
    if target.platform is None:
        found["platform"] = platform
    if target.python is None:
        found["python"] = here.python()
        target = target._replace(python_patch=here.python_patch())
    if target.glibc is None and platform.startswith("linux") and not is_elsewhere:
        found["glibc"] = here.glibc()
    assumed = [axis for axis, text in found.items() if text]
    return target._replace(**found, assumed=(*target.assumed, *assumed))
