"""Read requirements as people write them: names normalised, aliases resolved and said, unknown names answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.errors import InvalidRequirement, UnknownComponent
from compatsolver.model.request import Requirement

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

_PLAIN = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*((?:[<>=!~][^;@]*)?)")
_SEPARATORS = re.compile(r"[-_.]+")
_EXAMPLE = "write it as PEP 508 has it, e.g. torch>=2.6,<2.10 or torch==2.9.1+cu128"


def normalised(name: str) -> str:
    """A package name as PEP 503 compares it."""
    return _SEPARATORS.sub("-", name).lower()


def read_requirement(catalog: Catalog, text: str) -> tuple[Requirement, str | None]:
    """A requirement on a component of the catalogue, and what to tell the user where an alias was typed.

    Raises InvalidRequirement and UnknownComponent.
    """
    match = _PLAIN.fullmatch(text.strip())
    if not match:
        raise InvalidRequirement(f"{text!r} is not a requirement on a package and its versions", hint=_EXAMPLE)
    name = normalised(match[1])
    note = None
    if name in catalog.aliases:
        name, note = catalog.aliases[name]
    component = catalog.components.get(name)
    if component is None or component.kind == "host":
        raise UnknownComponent(f"the catalogue does not know the package {match[1]!r}", near=_near(catalog, name))
    return Requirement(name=name, specifier=match[2].strip(), text=text.strip()), note


def _near(catalog: Catalog, name: str) -> tuple[str, ...]:
    from difflib import get_close_matches

    packages = [row.name for row in catalog.components.values() if row.kind != "host"]
    return tuple(get_close_matches(name, [*packages, *catalog.aliases], n=3))
