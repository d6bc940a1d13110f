"""A target in the variables of environment markers (PEP 508)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compatsolver.model.request import Target

_SYSTEMS = {
    "linux": {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"},
    "windows": {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"},
    "macos": {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"},
}
_MACHINES = {("windows", "x86_64"): "AMD64"}
_INTERPRETER = {"implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": ""}
_PATCHES = ("0", "99")
_TELLING = ("python_version", "sys_platform", "platform_machine")
"""The variables that tell one target from another."""


def environments_of(target: Target, patches: tuple[str, ...] = _PATCHES) -> list[dict[str, str]]:
    """The variables of PEP 508 for a complete target; one each for `patches` where its Python leaves that open."""
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


def marker_of(target: Target) -> str:
    """The marker that holds on a complete target and on none of another Python or platform."""
    environment = environments_of(target)[0]
    return " and ".join(f"{name} == '{environment[name]}'" for name in _TELLING)
