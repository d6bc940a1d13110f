"""Sets of candidates in words: version ranges, capabilities, builds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import NONE, UNKNOWN, Component, Family, members
from compatsolver.model.version import Capability

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_TAGS = 4


def interval_words(component: Component, mask: int) -> str:
    """A set of a ranged component as a specifier: `>=525.60.13,<590`, alternatives joined by ` or `."""
    versions = [candidate.version for candidate in component.candidates]
    alternatives = []
    positions = members(mask)
    while positions:
        first = positions.pop(0)
        last = first
        while positions and positions[0] == last + 1:
            last = positions.pop(0)
        bounds = [] if versions[last] == "0" else [f">={versions[last]}"]
        if first > 0:
            bounds.append(f"<{versions[first - 1]}")
        alternatives.append(",".join(bounds) or "any")
    return " or ".join(alternatives)


def versions_of(component: Component, mask: int) -> list[str]:
    """Distinct versions in a set, oldest first, without the candidates that stand for absence."""
    texts = dict.fromkeys(component.candidates[position].version for position in reversed(members(mask)))
    return [text for text in texts if text not in (NONE, UNKNOWN)]


def version_words(component: Component, mask: int) -> str:
    """A set as `2.0.0 to 2.7.1` where it is a run of the component's versions, else as a list."""
    versions = versions_of(component, mask)
    if component.family is Family.CAPABILITY:
        return listing(str(text) for text in sorted(Capability.parse(text) for text in versions))
    return _runs(versions, versions_of(component, component.everything))


def build_words(component: Component, mask: int) -> str:
    """A set of torch builds by tag, newest first: `cu126 2.6.0 to 2.14.1; cu118 2.0.0 to 2.7.1`."""
    every: dict[str, list[str]] = {}
    chosen: dict[str, list[str]] = {}
    for position in reversed(range(len(component.candidates))):
        candidate = component.candidates[position]
        _append_distinct(every.setdefault(candidate.build or "", []), candidate.version)
        if mask >> position & 1:
            _append_distinct(chosen.setdefault(candidate.build or "", []), candidate.version)
    tags = sorted(chosen, reverse=True)
    words = [f"{tag} {_runs(chosen[tag], every[tag])}" for tag in tags[:_MOST_TAGS]]
    if len(tags) > _MOST_TAGS:
        words.append(f"{len(tags) - _MOST_TAGS} older tags")
    return listing(words, joint="; ")


def listing(words: Iterable[str], joint: str = ", ") -> str:
    """Words joined, or `none` where there are none."""
    return joint.join(words) or "none"


def _append_distinct(versions: list[str], version: str) -> None:
    if version not in versions:
        versions.append(version)


def _runs(chosen: Sequence[str], every: Sequence[str]) -> str:
    places = [every.index(version) for version in chosen]
    words = []
    while places:
        first = last = places.pop(0)
        while places and places[0] == last + 1:
            last = places.pop(0)
        words.append(every[first] if first == last else f"{every[first]} to {every[last]}")
    return listing(words)
