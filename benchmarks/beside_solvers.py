"""P4: one solve in a process beside python-sat and clingo, which hold the same rules and take what is assumed."""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.catalog.load import bundled
from compatsolver.solver.certify import Solved, describe
from measuring.boolean import SAT_SOLVER, Formula, answer_set_solver, sat_solver
from measuring.pairs import in_turns
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
    turns = wanted_turns(7)
    head("python-sat", "clingo")
    asked = questions()
    given = f"{len(asked)} of {DRAWN} questions with an answer that breaks no rule, each once a turn; {DESCRIPTION}"
    for title, peer in (
        (f"P4  solve ÷ python-sat ({SAT_SOLVER}), any plan, processor time", any_by_sat),
        (f"P4  solve ÷ python-sat ({SAT_SOLVER}), the same plan, processor time", same_by_sat),
        ("P4  solve ÷ clingo, any plan, processor time", any_by_clingo),
    ):
        pairs = in_turns(partial(once_each, ours, asked), partial(once_each, peer, asked), turns)
        show(title, given, pairs, goals="no goal", unit="ms", scale=1e3)


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


def ours(asked: Asked) -> bool:
    """Whether there is a plan."""
    return isinstance(asked.question.solve(), Solved)


def once_each(solve: Callable[[Asked], bool], asked: Sequence[Asked]) -> float:
    """The processor's seconds for every question once; ends where one is not solved.

    A solver that is asked the same twice in a row remembers its answer, so a question comes again after all others.
    """
    start = process_time()
    for entry in asked:
        if not solve(entry):
            raise SystemExit(f"{solve.__name__} finds another plan, or none, for {describe(entry.question.problem)}")
    return process_time() - start


if __name__ == "__main__":
    main()
