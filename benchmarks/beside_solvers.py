"""P4: one solve in a process beside python-sat and clingo, which hold the same rules and take what is assumed."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.catalog.load import bundled
from compatsolver.solver.certify import Solved, describe
from measuring.boolean import SAT_SOLVER, Formula, answer_set_solver, sat_solver
from measuring.pairs import Pairs
from measuring.questions import DESCRIPTION, mixed_questions
from measuring.report import head, show, wanted_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clingo import Control
    from pysat.solvers import Solver

    from measuring.questions import Question

DRAWN = 2000


class Loaded(NamedTuple):
    """A layout as the peers take it, with its rules loaded."""

    formula: Formula
    sat: Solver
    clingo: Control


class Asked(NamedTuple):
    """A question, the candidates of its plan, and the same as the peers take it; `excluded` is what is assumed."""

    question: Question
    plan: dict[str, int]
    loaded: Loaded
    excluded: list[int]


def main() -> None:
    turns = min(5, wanted_turns(5))
    head("python-sat", "clingo")
    asked = questions()
    given = f"{len(asked)} of {DRAWN} questions with an answer that breaks no rule; {DESCRIPTION}; best of {turns} each"
    for title, peer in (
        (f"P4  solve ÷ python-sat ({SAT_SOLVER}), any plan", any_by_sat),
        (f"P4  solve ÷ python-sat ({SAT_SOLVER}), the same plan", same_by_sat),
        ("P4  solve ÷ clingo, any plan", any_by_clingo),
    ):
        show(title, given, beside(peer, asked, turns), goals="no goal", unit="µs", scale=1e6)


def questions() -> list[Asked]:
    """Those that have a plan."""
    loaded, found = {}, []
    for question in mixed_questions(bundled(), DRAWN):
        verdict, layout = question.solve(), question.problem.layout
        if not isinstance(verdict, Solved) or verdict.avoided:
            continue
        if layout not in loaded:
            sizes = [len(component.candidates) for component in layout.components.values()]
            formula = Formula(sizes, layout.guarded.clauses)
            loaded[layout] = Loaded(formula, sat_solver(formula), answer_set_solver(formula))
        domains = question.problem.domains(start=layout.guarded_domains)
        excluded = loaded[layout].formula.excluded(domains)
        found.append(Asked(question, verdict.assignment, loaded[layout], excluded))
    return found


def any_by_sat(asked: Asked) -> bool:
    """Whether there is any plan."""
    return bool(asked.loaded.sat.solve(assumptions=asked.excluded))


def any_by_clingo(asked: Asked) -> bool:
    """Whether there is any plan."""
    return bool(asked.loaded.clingo.solve(assumptions=asked.excluded).satisfiable)


def same_by_sat(asked: Asked) -> bool:
    """Whether the plan is found again, package by package: the first candidate with which there is a solution."""
    problem, formula = asked.question.problem, asked.loaded.formula
    layout = problem.layout
    domains, assumed = problem.domains(start=layout.guarded_domains), list(asked.excluded)
    for name in layout.packages:
        slot = layout.numbers[name]
        for position in asked.question.ranking(slot, domains[slot]):
            (variable,) = formula.variables(slot, 1 << position)
            if asked.loaded.sat.solve(assumptions=[*assumed, variable]):
                break
        else:
            return False
        if position != asked.plan[name]:
            return False
        assumed.append(variable)
    return True


def beside(peer: Callable[[Asked], bool], asked: Sequence[Asked], turns: int) -> Pairs:
    """The shortest of some runs of each question by both; all questions once, then all again.

    A solver that is asked twice in a row remembers its answer. Ends where a peer does not find what there is.
    """
    ours, theirs = [float("inf")] * len(asked), [float("inf")] * len(asked)
    for _ in range(turns):
        for number, entry in enumerate(asked):
            start = perf_counter()
            entry.question.solve()
            between = perf_counter()
            is_found = peer(entry)
            end = perf_counter()
            ours[number] = min(ours[number], between - start)
            theirs[number] = min(theirs[number], end - between)
            if not is_found:
                raise SystemExit(f"{peer.__name__} finds another plan, or none, for {describe(entry.question.problem)}")
    return Pairs(tuple(ours), tuple(theirs))


if __name__ == "__main__":
    main()
