"""The only door out of the solver: no answer leaves unless an independent check agrees with it."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Sequence
from typing import NamedTuple

from compatsolver.errors import EngineDisagreement
from compatsolver.model.rule import Rule
from compatsolver.solver.check import violations
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import DEFAULT_BUDGET, Ranking, by_position, search


class Solved(NamedTuple):
    """Every rule is known to hold for this assignment (slot → candidate position), save those it could not avoid."""

    assignment: dict[str, int]
    avoided: tuple[Rule, ...] = ()


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
    for network in layout.relaxed:
        solution = search(network, problem.domains(), first=order, ranking=ranking, budget=budget)
        if solution is not None:
            assignment = problem.assignment(solution)
            broken = _broken(problem, assignment)
            guards = tuple(rule for rule in broken if rule.unknown)
            return Undecided(assignment, guards) if guards else Solved(assignment, broken)
    return Impossible()


def confirm_refuted(problem: Problem, core: Sequence[Assumption], budget: int = DEFAULT_BUDGET) -> None:
    """Refute a core once more, in another order of decisions; raises EngineDisagreement where it has a solution.

    What the core is about is decided first: packages that have no part in it would be tried one by one.
    """
    layout = problem.layout
    first = [layout.numbers[assumption.slot] for assumption in reversed(core)]
    domains = problem.domains(core, start=layout.certain_domains)
    if search(layout.certain, domains, first=first, budget=budget, changed=first) is not None:
        raise EngineDisagreement("assumptions called impossible have a solution", case=describe(problem))


def describe(problem: Problem) -> str:
    """The assumptions of a problem on one line, to be put into a report."""
    return "; ".join(assumption.text for assumption in problem.assumptions)


def _broken(problem: Problem, assignment: dict[str, int]) -> tuple[Rule, ...]:
    """The guards and rules to avoid that an assignment breaks; raises EngineDisagreement where it breaks another."""
    broken = violations(problem.layout, assignment)
    outside = [entry for entry in problem.assumptions if not entry.allowed >> assignment[entry.slot] & 1]
    if outside or any(rule.certain for rule in broken):
        raise EngineDisagreement("the search accepted what a rule forbids", case=describe(problem))
    return tuple(broken)
