"""Does an assignment satisfy the rules? Written apart from the search, so that one can be held against the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.rule import Rule
    from compatsolver.solver.problem import BoundRule, Layout


def violations(layout: Layout, assignment: Mapping[str, int]) -> list[Rule]:
    """The rules that an assignment (slot → candidate position) breaks, guards included, each once."""
    kept = 0
    for slot, position in assignment.items():
        kept |= _kept_by(layout, slot, position)
    if kept.bit_count() == len(layout.bound):
        return []
    broken = (entry.rule for number, entry in enumerate(layout.bound) if not kept >> number & 1)
    return list(dict.fromkeys(broken))


@lru_cache(maxsize=4096)
def _kept_by(layout: Layout, slot: str, position: int) -> int:
    """The rules (as a set of their numbers) that hold because one slot takes one candidate."""
    return sum(1 << number for number, entry in enumerate(layout.bound) if _holds(entry, slot, position))


def _holds(entry: BoundRule, slot: str, position: int) -> bool:
    pairs = zip(entry.slots, entry.rule.literals, strict=True)
    return any(name == slot and literal.allowed >> position & 1 for name, literal in pairs)
