"""Minimal sets of assumptions that cannot hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.solver.certify import confirm_refuted
from compatsolver.solver.search import refutation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.solver.problem import Assumption, Problem

_EASIEST_TO_SPARE = ("requirement", "cuda", "glibc", "python", "platform", "driver", "gpu")
_MOST_CONFLICTS = 5


def refuted(problem: Problem, assumptions: Sequence[Assumption]) -> bool:
    """Whether no assignment satisfies the known rules under these assumptions alone."""
    return blamed(problem, assumptions) is not None


def blamed(problem: Problem, assumptions: Sequence[Assumption]) -> list[Assumption] | None:
    """Some of the assumptions that the known rules refute already; None where they do not refute all of them."""
    layout = problem.layout
    domains, reasons = list(layout.certain_domains), [0] * len(layout.certain_domains)
    for place, entry in enumerate(assumptions):
        slot = layout.numbers[entry.slot]
        domains[slot] &= entry.allowed
        reasons[slot] |= 1 << place
    changed = {layout.numbers[entry.slot] for entry in assumptions}
    conflict = refutation(layout.certain, domains, reasons, changed=changed, level=len(assumptions))
    if conflict is None:
        return None
    return [entry for place, entry in enumerate(assumptions) if conflict >> place & 1]


def minimal_core(problem: Problem, assumptions: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """Shrink refuted assumptions to a set none of which can be spared.

    What nobody typed is given up first, then requests, and hardware last: a conflict that the hardware alone explains
    is explained by the hardware. What the last refutation did not rest on is spared without another one.
    """
    core, needed = list(assumptions), blamed(problem, assumptions)
    for candidate in sorted(assumptions, key=_how_dear):
        rest = [entry for entry in core if entry is not candidate]
        without = blamed(problem, rest) if needed is None or candidate in needed else needed
        if without is not None:
            core, needed = rest, without
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
