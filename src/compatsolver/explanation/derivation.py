"""The few facts that refute a core, in the order in which they bite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compatsolver.model.rule import Kind
from compatsolver.solver.problem import Assumption, BoundRule, Problem
from compatsolver.solver.search import search

_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


@dataclass(frozen=True)
class Step:
    """A fact, and what was still possible (slot → set of candidates) when it was applied."""

    entry: BoundRule
    before: dict[str, int]


def derive(problem: Problem, core: Sequence[Assumption]) -> tuple[Step, ...]:
    """A minimal set of known rules that refutes the core, ordered by unit propagation."""
    domains = problem.domains(core)
    facts = _shrink(problem, domains)
    return _in_order(problem, domains, facts)


def _shrink(problem: Problem, domains: list[int]) -> list[BoundRule]:
    """Drop facts in ever smaller portions, the most far-fetched first, as long as the rest still refutes."""
    facts = [entry for entry in problem.layout.bound if entry.rule.unknown is None]
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
    """Apply facts that force something first; where only a case split would go on, the rest follow as they are."""
    possible = dict(zip(problem.layout.slots, domains, strict=True))
    waiting = sorted(facts, key=lambda entry: _WEIGHT[entry.rule.kind])
    steps: list[Step] = []
    while waiting:
        entry = next((entry for entry in waiting if len(_open(entry, possible)) < 2), waiting[0])
        waiting.remove(entry)
        steps.append(Step(entry, dict(possible)))
        still_open = _open(entry, possible)
        if len(still_open) == 1:
            slot, allowed = still_open[0]
            possible[slot] &= allowed
    return tuple(steps)


def _open(entry: BoundRule, possible: dict[str, int]) -> list[tuple[str, int]]:
    """The literals of a fact that can still hold."""
    pairs = zip(entry.slots, entry.rule.literals, strict=True)
    return [(slot, literal.allowed) for slot, literal in pairs if possible[slot] & literal.allowed]
