"""Which of the combinations that hold stand for all of them.

Combinations are given in the order of preference. What is chosen comes back in the same order, and the same
combinations always give the same choice.
"""

from __future__ import annotations

from heapq import heapify, heappop, heapreplace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.cells.axes import Axis
    from compatsolver.cells.grid import Point


def covering(cover: str, axes: Sequence[Axis], points: Sequence[Point]) -> list[Point]:
    """The combinations that `latest`, `ends`, `pairwise` or `all` keeps."""
    if cover == "latest":
        return [group[0] for group in _machines(axes, points)]
    if cover == "ends":
        return [point for group in _machines(axes, points) for point in _ends(axes, group)]
    return pairwise(axes, points) if cover == "pairwise" else list(points)


def pairwise(axes: Sequence[Axis], points: Sequence[Point]) -> list[Point]:
    """Few combinations that hold every pair of values which any of them holds.

    Pairs with an old value of the first ordered axis are covered before those with a newer one, so that a new release
    adds combinations and leaves the others as they were.
    """
    pairs = _Pairs(points)
    staged = next((number for number, axis in enumerate(axes) if axis.is_ordered), 0)
    chosen: list[Point] = []
    for place in reversed(range(len(axes[staged].values))):
        stage = [point for point in points if point[staged] == place]
        chosen += pairs.greedy(stage, due=pairs.holding(staged, place))
    chosen += pairs.greedy(points, due=pairs.everything)
    return _in_order(points, chosen)


def most_telling(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many of the combinations, those that hold the most pairs of values no other chosen one holds."""
    pairs = _Pairs(points)
    chosen = pairs.greedy(points, due=pairs.everything)[:most]
    rest = without(points, chosen)
    return _in_order(points, chosen + rest[: most - len(chosen)])


def without(points: Sequence[Point], others: Sequence[Point]) -> list[Point]:
    """The combinations that are not among the others."""
    left_out = set(others)
    return [point for point in points if point not in left_out]


def _in_order(points: Sequence[Point], chosen: Sequence[Point]) -> list[Point]:
    kept = set(chosen)
    return [point for point in points if point in kept]


def _machines(axes: Sequence[Axis], points: Sequence[Point]) -> list[list[Point]]:
    """The combinations in groups that share the values of all axes without an order."""
    groups: dict[tuple[int, ...], list[Point]] = {}
    for point in points:
        beside = tuple(place for axis, place in zip(axes, point, strict=True) if not axis.is_ordered)
        groups.setdefault(beside, []).append(point)
    return list(groups.values())


def _ends(axes: Sequence[Axis], group: list[Point]) -> list[Point]:
    """The newest and the oldest of a group, and for each ordered axis an end that neither of them holds."""
    chosen = [group[0], group[-1]]
    for number, axis in enumerate(axes):
        if axis.is_ordered:
            held = [point[number] for point in group]
            for end in (min(held), max(held)):
                if all(point[number] != end for point in chosen):
                    chosen.append(group[held.index(end)])
    return _in_order(group, chosen)


class _Pairs:
    """Pairs of values as bits, and which of them are not covered yet; a value by itself is a pair with itself."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._numbers: dict[tuple[int, int, int, int], int] = {}
        self._held = {point: self._mask(point) for point in points}
        self.everything = (1 << len(self._numbers)) - 1
        self.uncovered = self.everything

    def holding(self, axis: int, place: int) -> int:
        """The pairs that a value of an axis is part of."""
        of_value = [
            1 << number
            for (left, left_place, right, right_place), number in self._numbers.items()
            if (axis, place) in ((left, left_place), (right, right_place))
        ]
        return sum(of_value)

    def greedy(self, points: Sequence[Point], due: int) -> list[Point]:
        """Combinations that cover what is due, the one that covers most of it first; of equal ones the preferred.

        What a combination adds only ever shrinks. So a stale figure is a bound, and only the best bound is renewed.
        """
        heap = [(*self._gain(point, due), rank) for rank, point in enumerate(points)]
        heapify(heap)
        chosen: list[Point] = []
        while heap and due & self.uncovered:
            rank = heap[0][-1]
            renewed = (*self._gain(points[rank], due), rank)
            if renewed > heap[0]:
                heapreplace(heap, renewed)
                continue
            heappop(heap)
            chosen.append(points[rank])
            self.uncovered &= ~self._held[points[rank]]
        return chosen

    def _gain(self, point: Point, due: int) -> tuple[int, int]:
        """How much it adds to what is due, and to all, negated: a heap keeps its smallest first."""
        added = self._held[point] & self.uncovered
        return -(added & due).bit_count(), -added.bit_count()

    def _mask(self, point: Point) -> int:
        places = enumerate(point)
        pairs = ((*left, *right) for left, right in combinations_with_replacement(places, 2))
        return sum(1 << self._numbers.setdefault(pair, len(self._numbers)) for pair in pairs)
