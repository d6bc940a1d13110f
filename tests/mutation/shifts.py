"""Single facts made wrong: where the tables hold facts, and how each kind of them is shifted."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Tables = dict[str, Any]
Place = tuple[str | int, ...]


class Site(NamedTuple):
    """A fact that can be shifted: the column it stands in, where that is, and what it would become."""

    column: str
    place: Place
    value: Any


def sites(tables: Tables) -> Iterator[Site]:
    """Every fact that a shift is known for, in the order of the tables."""
    for table in ("capabilities", "products", "branches", "toolkits", "compatibility", "cudnn", "torch", "libraries"):
        yield from _walk(tables[table], (table,))


def shifted(tables: Tables, site: Site) -> Tables:
    """The tables with one fact made wrong."""
    changed = dict(tables)
    changed[str(site.place[0])] = inside = deepcopy(tables[str(site.place[0])])
    for part in site.place[1:-1]:
        inside = inside[part]
    inside[site.place[-1]] = site.value
    return changed


def _walk(value: Any, place: Place) -> Iterator[Site]:
    if isinstance(value, list):
        for position, entry in enumerate(value):
            yield from _walk(entry, (*place, position))
    elif isinstance(value, dict):
        for key, entry in value.items():
            column = _column(key, place)
            wrong = entry if _is_key(key, place) else _shift(column, entry)
            if wrong != entry:
                yield Site(column, (*place, key), wrong)
            elif key != "evidence":
                yield from _walk(entry, (*place, key))


def _shift(column: str, entry: Any) -> Any:
    """The value made wrong, or as it is where no shift is known for it."""
    if isinstance(entry, list):
        return entry[:-1] if column in _SHORTENED and len(entry) > 1 else entry
    shift = _SHIFTS.get(column)
    return shift(entry) if shift and isinstance(entry, (str, bool)) else entry


def _is_key(key: str, place: Place) -> bool:
    """Whether a column says what its row is about: another value would be another row."""
    return key == "compute_capability" and place[0] == "capabilities"


def _column(key: str, place: Place) -> str:
    """A requirement, a driver and the end of a range are told by the column they are in."""
    parent = next((str(part) for part in reversed(place) if isinstance(part, str)), "")
    if parent in ("requires", "driver"):
        return parent
    return f"{parent}.{key}" if key in ("at_least", "below") else key


def _raised(text: str) -> str:
    """A version with its last number one higher."""
    return re.sub(r"\d+(?=\D*$)", lambda match: str(int(match[0]) + 1).zfill(len(match[0])), text)


def _minor_raised(text: str) -> str:
    """A version or specifier with the second field of its first version one higher."""
    return re.sub(r"(\d+)\.(\d+)", lambda match: f"{match[1]}.{int(match[2]) + 1}", text, count=1)


def _older_branch(text: str) -> str:
    return f"R{int(text[1:]) - 5}"


_SHORTENED = ("sass", "ptx", "pythons", "wheels", "also")
"""Columns whose lists lose their last entry."""

_SHIFTS: dict[str, Callable[[Any], Any]] = {
    "published": lambda value: "no" if value == "yes" else "yes",
    "default_index": lambda value: not value,
    "yanked": lambda value: not value,
    "cxx11_abi": lambda value: not value,
    "island": lambda value: not value,
    "glibc": _minor_raised,
    "cudnn": _raised,
    "nccl": _raised,
    "triton": _raised,
    "requires_python": _minor_raised,
    "requires": _minor_raised,
    "versions": _minor_raised,
    "driver": _raised,
    "max_cuda": _minor_raised,
    "first_branch": _older_branch,
    "last_branch": _older_branch,
    "first_toolkit": _minor_raised,
    "last_toolkit": _minor_raised,
    "compute_capability": lambda text: {"8.9": "8.6", "8.6": "8.0", "7.5": "7.0"}.get(text, "8.9"),
    "cuda.at_least": _minor_raised,
    "cuda.below": _minor_raised,
    "cudnn.at_least": _minor_raised,
    "compute_capability.at_least": _raised,
}
"""Column → a near value that is wrong."""
