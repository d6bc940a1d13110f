"""P6: what it takes to refute: the verdict against a satisfiable solve, the core against the verdict, and the fixes."""

from __future__ import annotations

from functools import partial
from statistics import mean, median
from typing import TYPE_CHECKING

from compatsolver.catalog.load import bundled
from compatsolver.explanation.conflicts import explain_conflicts
from compatsolver.explanation.cores import minimal_core
from compatsolver.explanation.diagnosis.checking import conflict_fixes, stack_on
from compatsolver.solver.certify import Impossible, Solved
from measuring.pairs import Pairs, best_of
from measuring.questions import DESCRIPTION, mixed_questions
from measuring.report import head, show, wanted_turns

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.resolution import Conflict
    from measuring.questions import Question

DRAWN = 2000
MENDED = 300


def main() -> None:
    turns = min(9, wanted_turns(9))
    head()
    drawn = [(question, question.solve()) for question in mixed_questions(bundled(), DRAWN)]
    solvable = [question for question, verdict in drawn if isinstance(verdict, Solved)]
    refuted = [question for question, verdict in drawn if isinstance(verdict, Impossible)]
    solves = [best_of(turns, question.solve) for question in solvable]
    solving = median(solves)
    verdicts = tuple(best_of(turns, question.solve) for question in refuted)
    cores = tuple(
        best_of(turns, partial(minimal_core, question.problem, question.problem.assumptions)) for question in refuted
    )
    given = f"{len(refuted)} of {DRAWN} questions without an answer; {DESCRIPTION}; best of {turns} runs each"
    against = Pairs(verdicts, (solving,) * len(verdicts))
    show("P6  verdict ÷ median satisfiable solve", given, against, goals="must be 1, stretch 0.3", unit="µs", scale=1e6)
    shrunk = Pairs(cores, verdicts)
    show("P6  minimal core ÷ verdict", given, shrunk, goals="must be 6, stretch 4", unit="µs", scale=1e6)
    catalog = bundled()
    some = [(question, _conflicts(catalog, question)) for question in refuted[:MENDED]]
    fixes = tuple(best_of(min(turns, 3), partial(mend, catalog, *asked)) for asked in some)
    title, given = "P6  core and its verified fixes ÷ mean satisfiable solve", f"the first {len(some)} of them"
    mended = Pairs(fixes, (mean(solves),) * len(fixes))
    show(title, given, mended, goals="must be 12, stretch 6", unit="µs", scale=1e6)


def mend(catalog: Catalog, question: Question, conflicts: tuple[Conflict, ...]) -> object:
    """The core once more, and the fixes for it, each solved again."""
    core = minimal_core(question.problem, question.problem.assumptions)
    stack = stack_on(question.host, question.requirements)
    return conflict_fixes(catalog, stack, question.problem, [core], conflicts)


def _conflicts(catalog: Catalog, question: Question) -> tuple[Conflict, ...]:
    """What the fixes are for; finding the words of its proof is not measured here."""
    problem = question.problem
    return explain_conflicts(catalog, problem, [minimal_core(problem, problem.assumptions)])


if __name__ == "__main__":
    main()
