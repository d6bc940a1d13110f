"""The only door out of the solver: no answer leaves unless an independent check agrees with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compatsolver.errors import EngineDisagreement
from compatsolver.solver.check import violations
from compatsolver.solver.search import DEFAULT_BUDGET, Network, Ranking, by_position, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compatsolver.model.rule import Rule
    from compatsolver.solver.problem import Assumption, BoundRule, Layout, Problem


@dataclass(frozen=True)
class Solved:
    """Every rule is known to hold for this assignment (slot → candidate position), save those it could not avoid."""

    assignment: dict[str, int]
    avoided: tuple[Rule, ...] = ()


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
    layout = problem.layout
    order = [layout.numbers[slot] for slot in first if slot in layout.numbers]
    narrowed = {layout.numbers[assumption.slot] for assumption in problem.assumptions}
    domains = problem.domains(start=layout.guarded_domains)
    solution = search(layout.guarded, domains, first=order, ranking=ranking, budget=budget, changed=narrowed)
    if solution is not None:
        assignment = problem.assignment(solution)
        if _broken(problem, assignment):
            raise EngineDisagreement("the search accepted what a rule or a guard forbids", case=describe(problem))
        return Solved(assignment)
    for network in _weakened(problem):
        solution = search(network, problem.domains(), first=order, ranking=ranking, budget=budget)
        if solution is not None:
            assignment = problem.assignment(solution)
            broken = _broken(problem, assignment)
            guards = tuple(rule for rule in broken if rule.unknown)
            return Undecided(assignment, guards) if guards else Solved(assignment, broken)
    return Impossible()


def confirm_refuted(problem: Problem, core: Sequence[Assumption], budget: int = DEFAULT_BUDGET) -> None:
    """Refute a core once more, with another order of decisions; raises EngineDisagreement where it has a solution."""
    backwards = list(range(len(problem.layout.slots)))[::-1]
    if search(problem.layout.certain, problem.domains(core), first=backwards, budget=budget) is not None:
        raise EngineDisagreement("assumptions called impossible have a solution", case=describe(problem))


def describe(problem: Problem) -> str:
    """The assumptions of a problem on one line, to be put into a report."""
    return "; ".join(assumption.text for assumption in problem.assumptions)


def _weakened(problem: Problem) -> Iterator[Network]:
    """Ever fewer rules: first without those to avoid, then without the guards as well.

    Of either, those on one subject go first, subject by subject, then all: least harm first, least doubt first.
    """
    layout = problem.layout
    yield from _without_one_subject(layout, layout.bound, lambda rule: rule.avoid)
    if any(entry.rule.avoid for entry in layout.bound):
        yield layout.unavoided
    kept = [entry for entry in layout.bound if not entry.rule.avoid]
    yield from _without_one_subject(layout, kept, lambda rule: rule.unknown is not None)
    yield layout.certain


def _without_one_subject(layout: Layout, bound: Sequence[BoundRule], weak: Callable[[Rule], bool]) -> Iterator[Network]:
    subjects = dict.fromkeys(entry.rule.field for entry in bound if weak(entry.rule))
    if len(subjects) > 1:
        for subject in subjects:
            yield layout.network(entry for entry in bound if not (weak(entry.rule) and entry.rule.field == subject))


def _broken(problem: Problem, assignment: dict[str, int]) -> tuple[Rule, ...]:
    """The guards and rules to avoid that an assignment breaks; raises EngineDisagreement where it breaks another."""
    broken = violations(problem.layout, assignment)
    outside = [entry for entry in problem.assumptions if not entry.allowed >> assignment[entry.slot] & 1]
    if outside or any(rule.certain for rule in broken):
        raise EngineDisagreement("the search accepted what a rule forbids", case=describe(problem))
    return tuple(broken)
