"""The only door out of the solver: no answer leaves unless an independent check agrees with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compatsolver.errors import EngineDisagreement
from compatsolver.model.rule import Rule
from compatsolver.solver.check import violations
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import DEFAULT_BUDGET, Ranking, by_position, search


@dataclass(frozen=True)
class Solved:
    """Every rule is known to hold for this assignment (slot → candidate position)."""

    assignment: dict[str, int]


@dataclass(frozen=True)
class Undecided:
    """The assignment breaks no rule, but rests on facts that nobody knows: the `guards` it trips."""

    assignment: dict[str, int]
    guards: tuple[Rule, ...]


@dataclass(frozen=True)
class Impossible:
    """No assignment exists, whatever the unknown facts turn out to be."""


def solve(
    problem: Problem,
    *,
    first: Sequence[str] = ("torch",),
    ranking: Ranking = by_position,
    budget: int = DEFAULT_BUDGET,
) -> Solved | Undecided | Impossible:
    """Decide the problem; raises SolverLimit where the budget is spent and EngineDisagreement where a check fails."""
    order = [problem.numbers[slot] for slot in first if slot in problem.numbers]
    domains = problem.domains()
    for clauses, guarded in ((problem.certain + problem.guards, True), (problem.certain, False)):
        solution = search(domains, clauses, first=order, ranking=ranking, budget=budget)
        if solution is None:
            continue
        assignment = problem.assignment(solution)
        tripped = _checked(problem, assignment)
        if tripped and guarded:
            raise EngineDisagreement("the search accepted what a guard forbids", case=describe(problem))
        return Undecided(assignment, tripped) if tripped else Solved(assignment)
    return Impossible()


def confirm_refuted(problem: Problem, core: Sequence[Assumption], budget: int = DEFAULT_BUDGET) -> None:
    """Refute a core once more, with another order of decisions; raises EngineDisagreement where it has a solution."""
    backwards = list(range(len(problem.slots)))[::-1]
    if search(problem.domains(core), problem.certain, first=backwards, budget=budget) is not None:
        raise EngineDisagreement("assumptions called impossible have a solution", case=describe(problem))


def describe(problem: Problem) -> str:
    """The assumptions of a problem on one line, to be put into a report."""
    return "; ".join(assumption.text for assumption in problem.assumptions)


def _checked(problem: Problem, assignment: dict[str, int]) -> tuple[Rule, ...]:
    broken = violations([(entry.rule, entry.slots) for entry in problem.bound], assignment)
    outside = [entry for entry in problem.assumptions if not entry.allowed >> assignment[entry.slot] & 1]
    if outside or any(rule.unknown is None for rule in broken):
        raise EngineDisagreement("the search accepted what a rule forbids", case=describe(problem))
    return tuple(broken)
