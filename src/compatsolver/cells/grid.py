"""The combinations of a matrix, and whether each of them holds.

A combination is a tuple of places, one for each axis. Values that assume the same are of one kind (drivers of one
interval, GPUs of one capability), and combinations of the same kinds are solved once. What refutes one is remembered by
the values it rests on, so that no other combination with these values is solved either.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.cells.pieces import MACHINE
from compatsolver.explanation.cores import minimal_core
from compatsolver.solver.certify import Impossible, Solved, solve
from compatsolver.solver.policy import newest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compatsolver.cells.axes import Axis
    from compatsolver.cells.pieces import Pieces, Stated, Values
    from compatsolver.solver.certify import Undecided
    from compatsolver.solver.problem import Problem

Point = tuple[int, ...]


class Nogood(NamedTuple):
    """Values that do not hold together (or are not known to), as bits; `point` is the first combination with them."""

    bits: int
    point: Point


class _Ruling(NamedTuple):
    """Whether a combination holds; else the axes whose values refute it, or the facts that are missing."""

    holds: bool
    axes: frozenset[str] = frozenset()
    facts: tuple[str, ...] = ()


class Grid:
    """All combinations of some axes; `holding` tells which of them hold and counts the others in `excluded`."""

    def __init__(self, axes: Sequence[Axis], pieces: Pieces) -> None:
        self.axes = tuple(axes)
        self.pieces = pieces
        self.excluded: dict[Nogood, int] = {}
        self._refuted: dict[int, tuple[_Ruling, Point, int]] = {}
        self._undecided: dict[tuple[str, ...], tuple[Nogood, int]] = {}
        self._rulings: dict[tuple[int, ...], _Ruling] = {}
        bits = iter(1 << place for place in range(sum(len(axis.values) for axis in axes)))
        self._bits = [[next(bits) for _ in axis.values] for axis in axes]
        self._machine = [number for number, axis in enumerate(axes) if axis.name in MACHINE]
        self._kinds = [
            [0 if axis.name in MACHINE else pieces.kind(axis.name, value) for value in axis.values] for axis in axes
        ]

    def __len__(self) -> int:
        return prod(len(axis.values) for axis in self.axes)

    def points(self) -> Iterator[Point]:
        """Every combination, the first values of the axes first."""
        return product(*(range(len(axis.values)) for axis in self.axes))

    def values(self, point: Point) -> Values:
        """Axis → the value a combination has on it."""
        return {axis.name: axis.values[place] for axis, place in zip(self.axes, point, strict=True)}

    def holding(self) -> list[Point]:
        """The combinations that hold, in the order of the values."""
        found = [point for point in self.points() if self._holds(point)]
        self.excluded = {Nogood(bits, point): count for bits, (_, point, count) in self._refuted.items()}
        self.excluded |= self._undecided.values()
        return found

    def pattern(self, nogood: Nogood) -> dict[str, str]:
        """Axis → the value that has a part in it."""
        chosen = zip(self.axes, nogood.point, self._bits, strict=True)
        named = {axis.name: axis.values[place] for axis, place, bits in chosen if bits[place] & nogood.bits}
        return {axis: value for axis, value in named.items() if value is not None}

    def solve(self, problem: Problem, stated: Stated) -> Solved | Undecided | Impossible:
        """The verdict on a combination, its newest packages preferred."""
        layout = problem.layout
        return solve(problem, first=layout.packages, ranking=newest(self.pieces.catalog, stated.host, layout))

    def _holds(self, point: Point) -> bool:
        machine = self.pieces.machine_kind(tuple(self.axes[number].values[point[number]] for number in self._machine))
        kinds = (machine, *(kinds[place] for kinds, place in zip(self._kinds, point, strict=True)))
        ruling = self._rulings.get(kinds)
        if ruling is None:
            ruling = self._rulings[kinds] = self._ruled(point)
        if ruling.facts:
            self._count_undecided(ruling.facts, point)
        elif not ruling.holds:
            bits = self._bits_of(ruling.axes, point)
            _, first, count = self._refuted.get(bits, (ruling, point, 0))
            self._refuted[bits] = ruling, first, count + 1
        return ruling.holds

    def _ruled(self, point: Point) -> _Ruling:
        """A ruling on the first combination of its kinds: what refuted another one, or the verdict of the solver."""
        every = self._bits_of((axis.name for axis in self.axes), point)
        for bits, (ruling, _, _) in self._refuted.items():
            if bits & every == bits:
                return ruling
        values = self.values(point)
        stated = self.pieces.stated(values)
        if stated.problem is None:
            return _Ruling(False, frozenset(stated.unknown))
        verdict = self.solve(stated.problem, stated)
        if isinstance(verdict, Impossible):
            core = minimal_core(stated.problem, stated.problem.assumptions)
            return _Ruling(False, frozenset(axis for entry in core for axis in self.pieces.axes_of(entry, values)))
        if isinstance(verdict, Solved):
            return _Ruling(True)
        return _Ruling(False, facts=tuple(rule.unknown.fact for rule in verdict.guards if rule.unknown))

    def _count_undecided(self, facts: tuple[str, ...], point: Point) -> None:
        """Count it with the others that the same facts are missing for; they share the values that all of them have."""
        bits = self._bits_of((axis.name for axis in self.axes), point)
        nogood, count = self._undecided.get(facts, (Nogood(bits, point), 0))
        self._undecided[facts] = nogood._replace(bits=nogood.bits & bits), count + 1

    def _bits_of(self, axes: Iterable[str], point: Point) -> int:
        wanted = frozenset(axes)
        chosen = zip(self.axes, point, self._bits, strict=True)
        return sum(bits[place] for axis, place, bits in chosen if axis.name in wanted)
