"""The axes of a target that this interpreter can fill in, in the words of a target."""

from __future__ import annotations

from compatsolver.errors import InputError
from compatsolver.model.environment import Environment
from compatsolver.model.request import PLATFORMS
from compatsolver.observation.live import interpreter
from compatsolver.observation.target import python_patch as read_patch
from compatsolver.observation.target import python_version, target_of


def platform() -> str:
    """Its platform; raises InputError where PyTorch has no builds for it."""
    read = target_of(Environment(os=interpreter.read_system(), arch=interpreter.read_architecture())).platform
    if read is None:
        raise InputError(
            "this interpreter's platform is none that PyTorch has builds for",
            hint="name the target's: --platform " + "|".join(PLATFORMS),
        )
    return read


def python() -> str | None:
    """Its version, as in `3.12` or `3.14t`."""
    return python_version(interpreter.read_python())


def python_patch() -> str | None:
    """The patch release of its version, as in `7` of 3.11.7."""
    return read_patch(interpreter.read_python())


def glibc() -> str | None:
    """The version of its C library; None where that is another one."""
    return interpreter.read_glibc()
