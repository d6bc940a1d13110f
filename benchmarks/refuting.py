"""P6: what it takes to refute: the verdict against a satisfiable solve, and the minimal core against the verdict."""

from __future__ import annotations

from functools import partial
from statistics import median

from compatsolver.catalog.load import bundled
from compatsolver.explanation.cores import minimal_core
from compatsolver.solver.certify import Impossible, Solved
from measuring.pairs import Pairs, best_of
from measuring.questions import DESCRIPTION, mixed_questions
from measuring.report import head, show, wanted_turns

DRAWN = 2000


def main() -> None:
    turns = min(9, wanted_turns(9))
    head()
    drawn = [(question, question.solve()) for question in mixed_questions(bundled(), DRAWN)]
    solvable = [question for question, verdict in drawn if isinstance(verdict, Solved)]
    refuted = [question for question, verdict in drawn if isinstance(verdict, Impossible)]
    solving = median(best_of(turns, question.solve) for question in solvable)
    verdicts = tuple(best_of(turns, question.solve) for question in refuted)
    cores = tuple(
        best_of(turns, partial(minimal_core, question.problem, question.problem.assumptions)) for question in refuted
    )
    given = f"{len(refuted)} of {DRAWN} questions without an answer; {DESCRIPTION}; best of {turns} runs each"
    against = Pairs(verdicts, (solving,) * len(verdicts))
    show("P6  verdict ÷ median satisfiable solve", given, against, goals="must be 1, stretch 0.3", unit="µs", scale=1e6)
    shrunk = Pairs(cores, verdicts)
    show("P6  minimal core ÷ verdict", given, shrunk, goals="must be 6, stretch 4", unit="µs", scale=1e6)


if __name__ == "__main__":
    main()
