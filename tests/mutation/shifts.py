"""Single facts made wrong: where the tables hold facts, and how each kind of them is shifted."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Tables = dict[str, Any]
Place = tuple[str | int, ...]

WORDS = ("horizon", "sources", "components", "symptoms", "kinds")
"""Tables without facts on versions: what they say is tested as text."""


class Site(NamedTuple):
    """A fact that can be shifted: the column it stands in, where that is, and what it would become."""

    column: str
    place: Place
    value: Any

    @property
    def table(self) -> str:
        """The file it is written in, roughly: `toolkits`, `libraries/peft`."""
        parts = self.place[:2] if self.place[0] in ("libraries", "measured") else self.place[:1]
        return "/".join(map(str, parts))


def sites(tables: Tables) -> Iterator[Site]:
    """Every shift of every fact that one is known for, in the order of the tables."""
    for table in tables:
        if table not in WORDS:
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
            wrong = [] if _is_key(key, place) else [made for made in _shifts(column, entry) if made != entry]
            yield from (Site(column, (*place, key), made) for made in wrong)
            if not wrong and key != "evidence":
                yield from _walk(entry, (*place, key))


def _shifts(column: str, entry: Any) -> list[Any]:
    """What the value can become, the value itself among it."""
    if isinstance(entry, list):
        return [entry[:-1], entry[1:]] if column in _SHORTENED and (entry[1:] or column == "ptx") else []
    return [shift(entry) for shift in _SHIFTS.get(column, ())] if isinstance(entry, (str, bool, int)) else []


def _is_key(key: str, place: Place) -> bool:
    """Whether a column says what its row is about: another value would be another row."""
    return key == "compute_capability" and place[0] == "capabilities"


def _column(key: str, place: Place) -> str:
    """A requirement, a driver and the end of a range are told by the column they are in."""
    for parent in ("extras", "requires", "driver", "beside"):
        if parent in place:
            return parent
    parent = next((str(part) for part in reversed(place) if isinstance(part, str)), "")
    return f"{parent}.{key}" if key in ("at_least", "below") or "prebuilt" in place else key


def _raised(text: str) -> str:
    """A version with its last number one higher."""
    return re.sub(r"\d+(?=\D*$)", lambda match: str(int(match[0]) + 1).zfill(len(match[0])), text)


def _lowered(text: str) -> str:
    """A version with its last number one lower."""
    return re.sub(r"\d+(?=\D*$)", lambda match: str(max(int(match[0]) - 1, 0)).zfill(len(match[0])), text)


def _minor_raised(text: str) -> str:
    """A version or specifier with the second field of its first version one higher."""
    return re.sub(r"(\d+)\.(\d+)", lambda match: f"{match[1]}.{int(match[2]) + 1}", text, count=1)


def _minor_lowered(text: str) -> str:
    """A version or specifier with the second field of its first version one lower."""
    return re.sub(r"(\d+)\.(\d+)", lambda match: f"{match[1]}.{max(int(match[2]) - 1, 0)}", text, count=1)


def _older_branch(text: str) -> str:
    return f"R{int(text[1:]) - 5}"


def _newer_branch(text: str) -> str:
    return f"R{int(text[1:]) + 5}"


def _turned(value: bool) -> bool:
    return not value


def _other_capability(text: str) -> str:
    return {"8.9": "8.6", "8.6": "8.0", "7.5": "7.0"}.get(text, "8.9")


_SHORTENED = (
    "sass",
    "ptx",
    "pythons",
    "wheels",
    "also",
    "cuda",
    "packages",
    "versions",
    "prebuilt.torch",
    "prebuilt.pythons",
)
"""Columns whose lists lose their last or their first entry."""

_LAST = (_raised, _lowered)
_MINOR = (_minor_raised, _minor_lowered)
_BRANCH = (_older_branch, _newer_branch)

_SHIFTS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "published": (lambda value: "no" if value == "yes" else "yes",),
    "default_index": (_turned,),
    "yanked": (_turned,),
    "cxx11_abi": (_turned,),
    "island": (_turned,),
    "severity": (lambda value: "warning" if value == "error" else "error",),
    "glibc": _MINOR,
    "cudnn": _LAST,
    "nccl": _LAST,
    "triton": _LAST,
    "triton_pythons": _MINOR,
    "requires_python": _MINOR,
    "requires": _MINOR,
    "extras": _MINOR,
    "beside": _MINOR,
    "versions": _MINOR,
    "driver": _LAST,
    "max_cuda": _MINOR,
    "first_branch": _BRANCH,
    "last_branch": _BRANCH,
    "first_toolkit": _MINOR,
    "last_toolkit": _MINOR,
    "first": _MINOR,
    "default_cuda": _MINOR,
    "newest_python": _MINOR,
    "gcc": _LAST,
    "clang": _LAST,
    "compute_capability": (_other_capability,),
    "cuda.at_least": _MINOR,
    "cuda.below": _MINOR,
    "cudnn.at_least": _MINOR,
    "compute_capability.at_least": _LAST,
    "compute_capability.below": _LAST,
    "memory_gib": (lambda gib: gib + 1,),
    "vocab_size": (lambda size: size + 1,),
    "hidden_size": (lambda size: size + 1,),
    "num_hidden_layers": (lambda layers: layers + 1,),
}
"""Column → near values that are wrong."""

_HURTING = {
    "capabilities": "first_branch last_branch first_toolkit last_toolkit island",
    "products": "compute_capability",
    "nvidia_smi_names": "compute_capability",
    "branches": "max_cuda",
    "toolkits": "driver",
    "compatibility": "driver cuda.at_least cuda.below",
    "cudnn": "cudnn.at_least compute_capability.at_least",
    "torch": "published default_index sass ptx glibc pythons requires_python cxx11_abi triton_pythons",
    "libraries": "requires requires_python wheels pythons glibc versions also cuda sass ptx "
    "compute_capability.at_least prebuilt.torch prebuilt.pythons",
}
HURTS = frozenset((table, column) for table, columns in _HURTING.items() for column in columns.split())
"""Table and column of facts that decide what a plan installs, or whether it runs; the others are told beside it."""
