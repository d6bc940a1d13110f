"""Does an assignment satisfy the rules? Written apart from the search, so that one can be held against the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compatsolver.model.rule import Rule


def holds(rule: Rule, slots: Sequence[str], assignment: Mapping[str, int]) -> bool:
    """Whether one rule, read on the given slots (one per literal), is satisfied by the chosen candidate positions."""
    return any(literal.allowed >> assignment[slot] & 1 for literal, slot in zip(rule.literals, slots, strict=True))


def violations(rules: Sequence[tuple[Rule, Sequence[str]]], assignment: Mapping[str, int]) -> list[Rule]:
    """The rules that an assignment (slot → candidate position) breaks, guards included, each once."""
    broken: list[Rule] = []
    for rule, slots in rules:
        if not holds(rule, slots, assignment) and rule not in broken:
            broken.append(rule)
    return broken
