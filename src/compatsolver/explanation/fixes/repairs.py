"""Fixes of a core: one assumption at a time is given up, the others are kept, and the problem is solved again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compatsolver.explanation.fixes import bounds
from compatsolver.explanation.fixes.archive import archived_builds
from compatsolver.explanation.fixes.cost import SAME_RELEASE, cost
from compatsolver.explanation.fixes.moves import Move, Wanted, move_package, move_torch
from compatsolver.explanation.fixes.premises import torch_mask
from compatsolver.model.fix import MOST_FIXES, Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.rule import Kind
    from compatsolver.solver.problem import Assumption, Problem


@dataclass(frozen=True)
class Broken:
    """A core with the problem it was found in and the cores beside it."""

    problem: Problem
    core: tuple[Assumption, ...]
    kind: Kind
    others: tuple[tuple[Assumption, ...], ...] = ()

    def kept(self, given_up: Assumption) -> list[Assumption]:
        """What stays assumed: all but the one given up and what is broken apart from this core."""
        elsewhere = [entry for core in self.others for entry in core if entry not in self.core]
        return [entry for entry in self.problem.assumptions if entry is not given_up and entry not in elsewhere]


def repairs(catalog: Catalog, stack: Stack, broken: Broken) -> tuple[Fix, ...]:
    """The cheapest verified fixes, cheapest first."""
    priced: list[tuple[int, Fix]] = []
    for assumption in broken.core:
        priced += list(_giving_up(catalog, stack, broken, assumption))
    return cheapest(priced)


def cheapest(priced: Iterable[tuple[int, Fix]]) -> tuple[Fix, ...]:
    """At most five, each change to each value once."""
    distinct: dict[tuple[str, str | None, str | None], Fix] = {}
    for _, fix in sorted(priced, key=lambda entry: entry[0]):
        distinct.setdefault((fix.change, fix.to, fix.cuda), fix)
    return tuple(distinct.values())[:MOST_FIXES]


def _giving_up(catalog: Catalog, stack: Stack, broken: Broken, assumption: Assumption) -> Iterator[tuple[int, Fix]]:
    kept = broken.kept(assumption)
    if assumption.slot == "torch" or (assumption.slot == "cuda" and "torch" in broken.problem.layout.components):
        current = assumption.allowed if assumption.slot == "torch" else torch_mask(catalog, stack)
        yield from _torch(catalog, stack, kept, current)
    elif assumption.slot == "cuda":
        yield from _runtime(catalog, stack, broken, kept, assumption)
    elif assumption.origin == "requirement":
        for move in move_package(catalog, broken.problem, kept, assumption):
            yield priced_move(move)
    elif not assumption.implied:
        fix = bounds.moved(catalog, broken.problem, kept, assumption, broken.kind)
        if fix:
            yield cost(fix), fix


def priced_move(move: Move) -> tuple[int, Fix]:
    """A move of a package with what it costs."""
    return cost(move.fix, move.distance), move.fix


def _torch(catalog: Catalog, stack: Stack, kept: Sequence[Assumption], current: int) -> Iterator[tuple[int, Fix]]:
    for move in move_torch(catalog, stack, kept, Wanted(current=current)):
        yield priced_move(move)


def _runtime(
    catalog: Catalog, stack: Stack, broken: Broken, kept: Sequence[Assumption], assumption: Assumption
) -> Iterator[tuple[int, Fix]]:
    """torch is not in the tables: another build of its release from the archive, else a release that they hold."""
    if stack.torch is None and stack.tag is None:
        fix = bounds.image(catalog, broken.problem, kept)
        if fix:
            yield cost(fix), fix
        return
    for fix in archived_builds(catalog, stack, broken.problem, kept):
        yield cost(fix, SAME_RELEASE), fix
    for move in move_torch(catalog, stack, kept, Wanted(current=0)):
        yield priced_move(move)
