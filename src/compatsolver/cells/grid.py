"""The combinations of a matrix, and whether each of them holds.

A combination is a tuple of places, one for each axis. What refutes one is remembered by the values it rests on, so
that no other combination with these values is solved.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

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


class Grid:
    """All combinations of some axes; `holding` tells which of them hold and counts the others in `excluded`."""

    def __init__(self, axes: Sequence[Axis], pieces: Pieces) -> None:
        self.axes = tuple(axes)
        self.pieces = pieces
        self.excluded: dict[Nogood, int] = {}
        self._undecided: dict[tuple[str, ...], tuple[Nogood, int]] = {}
        bits = iter(1 << place for place in range(sum(len(axis.values) for axis in axes)))
        self._bits = [[next(bits) for _ in axis.values] for axis in axes]

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
        self.excluded |= self._undecided.values()
        return found

    def pattern(self, nogood: Nogood) -> dict[str, str]:
        """Axis → the value that has a part in it."""
        chosen = zip(self.axes, nogood.point, self._bits, strict=True)
        named = {axis.name: axis.values[place] for axis, place, bits in chosen if bits[place] & nogood.bits}
        return {axis: value for axis, value in named.items() if value is not None}

    def _holds(self, point: Point) -> bool:
        bits = self._bits_of((axis.name for axis in self.axes), point)
        for nogood in self.excluded:
            if nogood.bits & bits == nogood.bits:
                self.excluded[nogood] += 1
                return False
        stated = self.pieces.stated(self.values(point))
        if stated.problem is None:
            self.excluded[Nogood(self._bits_of(stated.unknown, point), point)] = 1
            return False
        verdict = self.solve(stated.problem, stated)
        if isinstance(verdict, Impossible):
            self.excluded[Nogood(self._refuting(stated.problem, point), point)] = 1
        elif not isinstance(verdict, Solved):
            self._count_undecided(verdict, bits, point)
        return isinstance(verdict, Solved)

    def solve(self, problem: Problem, stated: Stated) -> Solved | Undecided | Impossible:
        """The verdict on a combination, its newest packages preferred."""
        layout = problem.layout
        return solve(problem, first=layout.packages, ranking=newest(self.pieces.catalog, stated.host, layout))

    def _count_undecided(self, verdict: Undecided, bits: int, point: Point) -> None:
        """Count it with the others that the same facts are missing for; they share the values that all of them have."""
        facts = tuple(rule.unknown.fact for rule in verdict.guards if rule.unknown)
        nogood, count = self._undecided.get(facts, (Nogood(bits, point), 0))
        self._undecided[facts] = nogood._replace(bits=nogood.bits & bits), count + 1

    def _refuting(self, problem: Problem, point: Point) -> int:
        """The bits of the values that a minimal contradiction of a refuted combination rests on."""
        values = self.values(point)
        core = minimal_core(problem, problem.assumptions)
        return self._bits_of({axis for entry in core for axis in self.pieces.axes_of(entry, values)}, point)

    def _bits_of(self, axes: Iterable[str], point: Point) -> int:
        wanted = set(axes)
        chosen = zip(self.axes, point, self._bits, strict=True)
        return sum(bits[place] for axis, place, bits in chosen if axis.name in wanted)
