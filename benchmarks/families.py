"""P7: does anything blow up? The mixed questions and the pathological families, within 1,000 decisions each."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from compatsolver.catalog.load import bundled
from compatsolver.errors import SolverLimit
from compatsolver.model.component import members
from compatsolver.solver.certify import solve
from compatsolver.solver.network import Network
from compatsolver.solver.search import search
from measuring.families import Family, families
from measuring.implications import resolvelib_pins
from measuring.questions import DESCRIPTION, mixed_questions
from measuring.report import head, line, wanted_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from measuring.questions import Question

BUDGET = 1000
DRAWN = 1000
PATIENCE = 4.0


def main() -> None:
    wanted_turns(1)
    head("resolvelib")
    print(f"\nP7  undecided within {BUDGET} decisions (must be 0), and plain resolvelib beside it")
    undecided = [question for question in mixed_questions(bundled(), DRAWN) if not is_decided(question)]
    line("questions", f"{len(undecided)} of {DRAWN}; {DESCRIPTION}")
    for family in families():
        line("family", beside_resolvelib(family))


def is_decided(question: Question) -> bool:
    """Whether a question has its verdict within the budget."""
    try:
        solve(question.problem, first=question.problem.layout.packages, ranking=question.ranking, budget=BUDGET)
    except SolverLimit:
        return False
    return True


def beside_resolvelib(family: Family) -> str:
    """One family, decided by both."""
    network = Network(len(family.universe.domains), family.universe.clauses())
    decisions = 0

    def counted(_slot: int, domain: int) -> Iterator[int]:
        nonlocal decisions
        for position in members(domain):
            decisions += 1
            yield position

    start = perf_counter()
    try:
        found = search(network, family.universe.domains, ranking=counted, budget=BUDGET)
        verdict = "decided" if (found is not None) == family.solvable else "WRONG"
    except SolverLimit:
        verdict = "UNDECIDED"
    ours = perf_counter() - start
    return (
        f"{family.name:<22} {verdict} in {decisions} decisions, {ours * 1e3:.1f} ms; resolvelib {_theirs(family, ours)}"
    )


def _theirs(family: Family, ours: float) -> str:
    start = perf_counter()
    try:
        found = resolvelib_pins(family.universe, seconds=PATIENCE)
    except TimeoutError:
        return f"not in {PATIENCE:.0f} s (over {PATIENCE / ours:.0f} ×)"
    theirs = perf_counter() - start
    right = "" if (found is not None) == family.solvable else ", WRONG"
    return f"{theirs * 1e3:.0f} ms ({theirs / ours:.1f} ×{right})"


if __name__ == "__main__":
    main()
