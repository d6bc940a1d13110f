"""The few facts that refute a core, in the order in which they bite."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from compatsolver.model.rule import Kind
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.solver.problem import Assumption, BoundRule, Problem

_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


class Step(NamedTuple):
    """A fact, and what was still possible (slot → set of candidates) when it was applied.

    Facts of one column (two GPUs against the arch lists) are read side by side: both see what the first of them saw.
    """

    entry: BoundRule
    before: dict[str, int]

    def turned_away(self, component: str) -> int:
        """The candidates that the rule turns away, seen from the literal on one component: those it does not allow."""
        literals = self.entry.rule.literals
        number = next(number for number, literal in enumerate(literals) if literal.component == component)
        return self.before[self.entry.slots[number]] & ~literals[number].allowed


def derive(problem: Problem, core: Sequence[Assumption]) -> tuple[Step, ...]:
    """A minimal set of known rules that refutes the core, ordered by unit propagation."""
    domains = problem.domains(core)
    facts = _shrink(problem, domains)
    return _in_order(problem, domains, facts)


def _shrink(problem: Problem, domains: list[int]) -> list[BoundRule]:
    """Drop facts in ever smaller portions, the most far-fetched first, as long as the rest still refutes."""
    facts = [entry for entry in problem.layout.bound if entry.rule.certain]
    facts.sort(key=lambda entry: -_WEIGHT[entry.rule.kind])
    portion = max(1, len(facts) // 2)
    while True:
        start = 0
        while start < len(facts):
            rest = facts[:start] + facts[start + portion :]
            if search(problem.layout.network(rest), domains) is None:
                facts = rest
            else:
                start += portion
        if portion == 1:
            return facts
        portion = max(1, portion // 2)


def _in_order(problem: Problem, domains: list[int], facts: list[BoundRule]) -> tuple[Step, ...]:
    """Apply facts that force something first, plain ones before weighty ones; what needs a case split comes last."""
    possible = dict(zip(problem.layout.slots, domains, strict=True))
    waiting = sorted(facts, key=lambda entry: -_WEIGHT[entry.rule.kind])
    seen: dict[str | None, dict[str, int]] = {}
    steps: list[Step] = []
    while waiting:
        entry = next((entry for entry in waiting if len(_open(entry, possible)) < 2), waiting[0])
        waiting.remove(entry)
        before = dict(possible) if entry.rule.field is None else seen.setdefault(entry.rule.field, dict(possible))
        steps.append(Step(entry, before))
        still_open = _open(entry, possible)
        if len(still_open) == 1:
            slot, allowed = still_open[0]
            possible[slot] &= allowed
    return tuple(steps)


def _open(entry: BoundRule, possible: dict[str, int]) -> list[tuple[str, int]]:
    """The literals of a fact that can still hold."""
    pairs = zip(entry.slots, entry.rule.literals, strict=True)
    return [(slot, literal.allowed) for slot, literal in pairs if possible[slot] & literal.allowed]
