"""The only door out of the solver: no answer leaves unless an independent check agrees with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from compatsolver.errors import EngineDisagreement
from compatsolver.solver.check import violations
from compatsolver.solver.search import DEFAULT_BUDGET, Network, Ranking, by_position, search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.model.rule import Rule
    from compatsolver.solver.problem import Assumption, Problem


class Solved(NamedTuple):
    """Every rule is known to hold for this assignment (slot → candidate position)."""

    assignment: dict[str, int]


class Undecided(NamedTuple):
    """The assignment breaks no rule, but rests on facts that nobody knows: the `guards` it trips."""

    assignment: dict[str, int]
    guards: tuple[Rule, ...]


class Impossible(NamedTuple):
    """No assignment exists, whatever the unknown facts turn out to be."""


def solve(
    problem: Problem,
    *,
    first: Sequence[str] = ("torch",),
    ranking: Ranking = by_position,
    budget: int = DEFAULT_BUDGET,
) -> Solved | Undecided | Impossible:
    """Decide the problem; raises SolverLimit where the budget is spent and EngineDisagreement where a check fails."""
    layout = problem.layout
    order = [layout.numbers[slot] for slot in first if slot in layout.numbers]
    narrowed = {layout.numbers[assumption.slot] for assumption in problem.assumptions}
    domains = problem.domains(start=layout.guarded_domains)
    solution = search(layout.guarded, domains, first=order, ranking=ranking, budget=budget, changed=narrowed)
    if solution is not None:
        assignment = problem.assignment(solution)
        if _broken(problem, assignment):
            raise EngineDisagreement("the search accepted what a guard forbids", case=describe(problem))
        return Solved(assignment)
    for network in _with_fewer_guards(problem):
        solution = search(network, problem.domains(), first=order, ranking=ranking, budget=budget)
        if solution is not None:
            assignment = problem.assignment(solution)
            return Undecided(assignment, _broken(problem, assignment))
    return Impossible()


def confirm_refuted(problem: Problem, core: Sequence[Assumption], budget: int = DEFAULT_BUDGET) -> None:
    """Refute a core once more, with another order of decisions; raises EngineDisagreement where it has a solution."""
    backwards = list(range(len(problem.layout.slots)))[::-1]
    if search(problem.layout.certain, problem.domains(core), first=backwards, budget=budget) is not None:
        raise EngineDisagreement("assumptions called impossible have a solution", case=describe(problem))


def describe(problem: Problem) -> str:
    """The assumptions of a problem on one line, to be put into a report."""
    return "; ".join(assumption.text for assumption in problem.assumptions)


def _with_fewer_guards(problem: Problem) -> Iterator[Network]:
    """The rules without the guards on one subject, subject by subject, then without any: least doubt first."""
    subjects = {entry.rule.field: None for entry in problem.layout.bound if entry.rule.unknown}
    if len(subjects) > 1:
        for subject in subjects:
            kept = [entry for entry in problem.layout.bound if not entry.rule.unknown or entry.rule.field != subject]
            yield problem.layout.network(kept)
    yield problem.layout.certain


def _broken(problem: Problem, assignment: dict[str, int]) -> tuple[Rule, ...]:
    """The guards an assignment trips; raises EngineDisagreement where it breaks a rule or an assumption."""
    broken = violations(problem.layout, assignment)
    outside = [entry for entry in problem.assumptions if not entry.allowed >> assignment[entry.slot] & 1]
    if outside or any(rule.unknown is None for rule in broken):
        raise EngineDisagreement("the search accepted what a rule forbids", case=describe(problem))
    return tuple(broken)
