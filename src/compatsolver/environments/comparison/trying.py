"""A change tried on one machine: the rules are asked whether what comes of it holds, and what stands in the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.builds import build_of
from compatsolver.environments.comparison.floors import EVERY_RULE
from compatsolver.environments.comparison.moving import Moved, fixes_of, moved
from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.diagnosis.rulings import finding_of
from compatsolver.explanation.fixes.cost import cost
from compatsolver.explanation.fixes.premises import INSTALLED, problem_of
from compatsolver.model.diagnosis import CERTAIN
from compatsolver.solver.certify import Undecided, solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.fix import Fix
    from compatsolver.solver.problem import Problem


_UNINSTALLED = 10
"""What taking a package away costs more than putting one in: what nobody has rules on may need it."""


class Trial(NamedTuple):
    """What becomes of a machine, a driver that moves along, and why it does not hold, if it does not."""

    change: Moved
    driver: Fix | None = None
    obstacles: tuple[str, ...] = ()

    @property
    def machine(self) -> Machine:
        """The machine after the change."""
        return self.change.machine

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All that moves, verified where nothing stands in the way."""
        moving = (*((self.driver,) if self.driver else ()), *fixes_of(self.change))
        return tuple(fix._replace(verified=not self.obstacles) for fix in moving)

    @property
    def cost(self) -> int:
        """What the moves cost, those left out that come by themselves."""
        along = {*self.change.brought, *self.change.leftovers}
        return sum(cost(fix) + _UNINSTALLED * (fix.to is None) for fix in self.fixes if fix.change not in along)


def tried(catalog: Catalog, machine: Machine, model: Machine) -> Trial:
    """The machine with the model's packages, held against the rules; a driver moves where nothing else would do.

    What is installed already need not be installable.
    """
    change = moved(catalog, machine, model)
    without = INSTALLED if change.is_same else EVERY_RULE
    stack = change.machine.stack
    problem = problem_of(catalog, stack, without=without)
    unknown = (*_unknown_packages(catalog, change, problem), *_needed(catalog, change))
    cores = independent_cores(problem)
    if not cores:
        return Trial(change, None, () if change.is_same else (*unknown, *_doubts(problem)))
    found = [finding_of(catalog, stack, problem, cores, core, CERTAIN) for core in cores]
    broken = (*unknown, *(finding.summary for finding in found))
    drivers = [fix for finding in found for fix in finding.fixes if fix.change == "driver"]
    if len(found) > 1 or not drivers:
        return Trial(change, None, broken)
    newer = _with_driver(stack, drivers[0])
    again = problem_of(catalog, newer, without=without)
    obstacles = broken if independent_cores(again) else (*unknown, *_doubts(again))
    return Trial(change._replace(machine=machine._replace(stack=newer)), drivers[0], obstacles)


def _with_driver(stack: Stack, fix: Fix) -> Stack:
    """The stack on the lowest driver that a fix allows."""
    return replace(stack, driver=(fix.to or "").partition(",")[0].removeprefix(">="), ceiling=None)


def _unknown_packages(catalog: Catalog, change: Moved, problem: Problem) -> tuple[str, ...]:
    """What would be installed and the catalogue has no release of, so that no rule can be asked."""
    assumed = {entry.slot for entry in problem.assumptions}
    wanted = [move for move in change.moves if move.after and move.name in catalog.components]
    return tuple(f"the catalogue does not hold {m.name} {m.after}" for m in wanted if m.name not in assumed)


def _needed(catalog: Catalog, change: Moved) -> Iterator[str]:
    """What would be uninstalled although a package that stays requires it."""
    stack = change.machine.stack
    build = build_of(catalog, stack)
    for gone in [move.name for move in change.moves if move.after is None]:
        if gone == "triton" and build is not None and build.triton:
            yield f"torch requires {gone}"
        users = [name for name in sorted(stack.packages) if gone in catalog.requires.get(name, ())]
        yield from (f"{name} requires {gone}" for name in users)


def _doubts(problem: Problem) -> tuple[str, ...]:
    """The unknown facts that the change would rest on."""
    verdict = solve(problem)
    known = verdict.guards if isinstance(verdict, Undecided) else ()
    return tuple(dict.fromkeys(rule.unknown.why for rule in known if rule.unknown))
