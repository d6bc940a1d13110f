"""Environment markers, evaluated for the target and not for the interpreter that happens to run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.errors import InvalidRequirement

if TYPE_CHECKING:
    from packaging.markers import Marker

    from compatsolver.model.request import Target

_SYSTEMS = {
    "linux": {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"},
    "windows": {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"},
    "macos": {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"},
}
_MACHINES = {("windows", "x86_64"): "AMD64"}
_INTERPRETER = {"implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": ""}
_NOT_IN_A_TARGET = re.compile(r"\bplatform_(?:release|version)\b")
_FULL_VERSION = re.compile(r"\b(?:python_full_version|implementation_version)\b")
_PATCHES = tuple(map(str, range(100)))
"""Of a Python whose patch release is not known: every one it may have, of which no minor had forty so far."""


def applies(marker: Marker, target: Target, text: str) -> bool:
    """Whether a requirement with this marker counts on a complete target; `text` is named in messages.

    Raises InvalidRequirement where the marker asks for what a target does not say: the kernel's release, or the patch
    release of a Python that was given as a minor version.
    """
    if _NOT_IN_A_TARGET.search(str(marker)):
        raise InvalidRequirement(
            f"{text!r} depends on the release of the operating system, which a target does not state",
            hint="leave the marker out, or the requirement",
        )
    patches = _PATCHES if _FULL_VERSION.search(str(marker)) else _PATCHES[:1]
    verdicts = {marker.evaluate(environment) for environment in _environments(target, patches)}
    if len(verdicts) > 1:
        raise InvalidRequirement(
            f"{text!r} depends on the patch release of Python {target.python}",
            hint="give the Python in full, as in --python 3.11.7",
        )
    return verdicts.pop()


def _environments(target: Target, patches: tuple[str, ...]) -> list[dict[str, str]]:
    """The variables of PEP 508 for a target; one each for `patches` where its Python leaves the patch release open."""
    system, _, machine = (target.platform or "").partition("-")
    fields = (target.python or "").rstrip("t").split(".")
    known = tuple(fields[2:]) or ((target.python_patch,) if target.python_patch else patches)
    return [
        {
            **_SYSTEMS.get(system, {}),
            **_INTERPRETER,
            "platform_machine": _MACHINES.get((system, machine), machine),
            "python_version": ".".join(fields[:2]),
            "python_full_version": ".".join([*fields[:2], patch]),
            "implementation_version": ".".join([*fields[:2], patch]),
        }
        for patch in known
    ]
