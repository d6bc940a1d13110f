"""Does an assignment satisfy the rules? Written apart from the search, so that one can be held against the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compatsolver.model.rule import Rule
    from compatsolver.solver.problem import Layout


def violations(layout: Layout, assignment: Mapping[str, int]) -> list[Rule]:
    """The rules that an assignment (slot → candidate position) breaks, guards included, each once."""
    kept = 0
    for slot, position in assignment.items():
        kept |= kept_by(layout, layout.numbers[slot], position)
    if kept.bit_count() == len(layout.clauses):
        return []
    broken = (entry.rule for number, entry in enumerate(layout.bound) if not kept >> number & 1)
    return list(dict.fromkeys(broken))


@lru_cache(maxsize=4096)
def kept_by(layout: Layout, slot: int, position: int) -> int:
    """The clauses (as a set of their numbers) that hold because one slot takes one candidate."""
    kept = 0
    for number, allowed in _literals(layout)[slot]:
        if allowed >> position & 1:
            kept |= 1 << number
    return kept


@lru_cache(maxsize=64)
def _literals(layout: Layout) -> Sequence[Sequence[tuple[int, int]]]:
    """For each slot the numbers of the clauses with a literal on it, each with what that allows."""
    literals: list[list[tuple[int, int]]] = [[] for _ in layout.slots]
    for number, clause in enumerate(layout.clauses):
        for slot, allowed in clause:
            literals[slot].append((number, allowed))
    return literals
