"""Minimal sets of assumptions that cannot hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.solver.certify import confirm_refuted
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.solver.problem import Assumption, Problem

_EASIEST_TO_SPARE = ("requirement", "cuda", "glibc", "python", "platform", "driver", "gpu")
_MOST_CONFLICTS = 5


def refuted(problem: Problem, assumptions: Sequence[Assumption]) -> bool:
    """Whether no assignment satisfies the known rules under these assumptions alone."""
    layout = problem.layout
    domains = problem.domains(assumptions, start=layout.certain_domains)
    return search(layout.certain, domains, changed={layout.numbers[entry.slot] for entry in assumptions}) is None


def minimal_core(problem: Problem, assumptions: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """Shrink refuted assumptions to a set none of which can be spared.

    What nobody typed is given up first, then requests, and hardware last: a conflict that the hardware alone explains
    is explained by the hardware.
    """
    spared = sorted(assumptions, key=_how_dear)
    core = list(assumptions)
    for candidate in spared:
        rest = [entry for entry in core if entry is not candidate]
        if refuted(problem, rest):
            core = rest
    confirm_refuted(problem, core)
    return tuple(core)


def _how_dear(entry: Assumption) -> tuple[bool, int, bool]:
    """Sorting key: torch is spared after the packages whose release only belongs to one of torch."""
    return not entry.implied, _EASIEST_TO_SPARE.index(entry.origin), entry.slot == "torch"


def independent_cores(problem: Problem) -> list[tuple[Assumption, ...]]:
    """Minimal cores that share no assumption, so that each needs a fix of its own."""
    left = list(problem.assumptions)
    cores: list[tuple[Assumption, ...]] = []
    while len(cores) < _MOST_CONFLICTS and refuted(problem, left):
        core = minimal_core(problem, left)
        cores.append(core)
        if not core:
            break
        left = [entry for entry in left if entry not in core]
    return cores
