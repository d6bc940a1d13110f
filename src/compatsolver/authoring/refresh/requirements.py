"""`requires` and `extras` of a row, from METADATA: components that are required wherever the release is installed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from compatsolver.authoring.rules.wheels import admits
from compatsolver.model.version import PythonVersion

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from packaging.specifiers import SpecifierSet

    from compatsolver.index.metadata import Metadata

_SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "aarch64"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
)
_FOR_ITS_DEVELOPERS = re.compile(r"dev|test|quality|docs|benchmark|lint|^all$")
_ORDER = ("==", "===", "~=", ">=", ">", "!=", "<=", "<")


class Required(NamedTuple):
    """Component → specifier, extra → what it adds, and requirements left out because they do not hold everywhere."""

    always: dict[str, str]
    extras: dict[str, dict[str, str]]
    partly: tuple[str, ...]


def required(metadata: Metadata, components: Collection[str], pythons: Sequence[str]) -> Required:
    """Read the requirements on components; a marker may ask for an extra, and must hold on all platforms."""
    admitted = [text for text in pythons if admits(metadata.requires_python, PythonVersion.parse(text))]
    always: dict[str, str] = {}
    extras: dict[str, dict[str, str]] = {}
    partly = []
    for text in metadata.requires:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            partly.append(text)
            continue
        name = canonicalize_name(requirement.name)
        if name not in components or name == metadata.name:
            continue
        specifier = specifier_text(requirement.specifier)
        if _holds(requirement, "", admitted):
            always[name] = specifier
            continue
        if "extra" not in str(requirement.marker):
            partly.append(text)
        for extra in metadata.extras:
            if not _FOR_ITS_DEVELOPERS.search(extra) and _holds(requirement, extra, admitted):
                extras.setdefault(extra, {})[name] = specifier
    return Required(
        dict(sorted(always.items())),
        {extra: dict(sorted(rows.items())) for extra, rows in sorted(extras.items())},
        tuple(partly),
    )


def specifier_text(specifier: SpecifierSet) -> str:
    """A specifier as the tables write it: the lower bound first."""
    return ",".join(
        str(part) for part in sorted(specifier, key=lambda part: (_ORDER.index(part.operator), part.version))
    )


def _holds(requirement: Requirement, extra: str, pythons: Sequence[str]) -> bool:
    """Whether a requirement holds with that extra on every platform and Python."""
    marker = requirement.marker
    if marker is None:
        return True
    return all(
        marker.evaluate(
            {
                **system,
                "extra": extra,
                "python_version": python.rstrip("t"),
                "python_full_version": f"{python.rstrip('t')}.0",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
            }
        )
        for system in _SYSTEMS
        for python in pythons
    )
