"""P4: one solve inside a process, over mixed questions that have an answer; resolvelib takes the same questions."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING

from compatsolver.catalog.load import bundled
from compatsolver.solver.certify import Solved, describe
from measuring.implications import resolvelib_pins, universe_of
from measuring.pairs import Pairs, best_of
from measuring.questions import DESCRIPTION, mixed_questions
from measuring.report import head, line, show, wanted_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from measuring.questions import Question

DRAWN = 2000
PATIENCE = 1.0


def main() -> None:
    turns = min(9, wanted_turns(9))
    head("resolvelib")
    asked = [question for question in mixed_questions(bundled(), DRAWN) if isinstance(question.solve(), Solved)]
    ours = [best_of(turns, question.solve) for question in asked]
    print("\nP4  solve, satisfiable")
    line("input", f"{len(asked)} of {DRAWN} questions that have an answer; {DESCRIPTION}; best of {turns} runs each")
    line("p50", f"{median(ours) * 1e6:.1f} µs (must be 40, stretch 20, where pass takes 8 ms)")
    line("p99", f"{quantiles(ours, n=100)[98] * 1e6:.0f} µs (must be 1000, stretch 300)")
    beside_resolvelib(asked)


def beside_resolvelib(asked: list[Question]) -> None:
    """The ratio question by question; both find the same plan, or this fails.

    A plan that had to break a rule it would rather not comes from a second search; resolvelib has nothing like it.
    """
    figures, late = [], 0
    for question in asked:
        verdict, peer = question.solve(), peer_of(question)
        if not isinstance(verdict, Solved) or verdict.avoided:
            continue
        try:
            theirs, seconds = peer(), best_of(3, peer)
        except TimeoutError:
            late += 1
            continue
        if theirs is None or question.problem.assignment(theirs) != verdict.assignment:
            raise SystemExit(f"resolvelib has another plan for {describe(question.problem)}")
        figures.append((best_of(3, question.solve), seconds))
    pairs = Pairs(*zip(*figures, strict=True))
    given = f"{len(figures)} of these that break no rule, same plans; {late} more took resolvelib over {PATIENCE:.0f} s"
    show("P4  solve ÷ resolvelib on the same sets", given, pairs, goals="no goal", unit="µs", scale=1e6)


def peer_of(question: Question) -> Callable[[], list[int] | None]:
    """resolvelib on a question, deciding packages in the same order and trying candidates in the same one."""
    layout = question.problem.layout
    first = [layout.numbers[name] for name in layout.packages]
    universe = universe_of(question.problem)
    return lambda: resolvelib_pins(universe, first=first, ranking=question.ranking, seconds=PATIENCE)


if __name__ == "__main__":
    main()
