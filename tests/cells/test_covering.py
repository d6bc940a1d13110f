"""Laws of covers, on combinations drawn at random."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.cells.axes import Axis
from compatsolver.cells.covering import covering, most_telling, pairwise

Point = tuple[int, ...]
NAMES = ("platform", "gpu", "torch", "python", "driver")


@st.composite
def holding(draw: st.DrawFn) -> tuple[list[Axis], list[Point]]:
    """Axes, and some of their combinations in order."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    axes = [Axis(name, tuple(map(str, range(size)))) for name, size in zip(NAMES, sizes, strict=False)]
    every = list(product(*(range(size) for size in sizes)))
    kept = draw(st.sets(st.sampled_from(every)))
    return axes, sorted(kept)


def pairs(points: list[Point]) -> set[tuple[int, int, int, int]]:
    """Every pair of values on two axes, and every value by itself."""
    found = {(number, place, number, place) for point in points for number, place in enumerate(point)}
    return found | {(*left, *right) for point in points for left, right in combinations(enumerate(point), 2)}


@given(holding())
def test_pairwise_holds_every_pair_that_any_combination_holds(drawn: tuple[list[Axis], list[Point]]) -> None:
    axes, points = drawn
    chosen = pairwise(axes, points)
    assert pairs(chosen) == pairs(points)
    assert set(chosen) <= set(points)


@given(holding())
def test_pairwise_chooses_nothing_that_adds_nothing_when_it_is_chosen(drawn: tuple[list[Axis], list[Point]]) -> None:
    axes, points = drawn
    assert len(pairwise(axes, points)) <= len(pairs(points))


@given(holding(), st.sampled_from(["latest", "ends", "pairwise", "all"]))
def test_a_cover_keeps_the_order_and_repeats_nothing(drawn: tuple[list[Axis], list[Point]], cover: str) -> None:
    axes, points = drawn
    chosen = covering(cover, axes, points)
    assert chosen == sorted(set(chosen))
    assert covering(cover, axes, points) == chosen


@given(holding())
def test_latest_has_one_combination_a_machine_and_it_is_the_first(drawn: tuple[list[Axis], list[Point]]) -> None:
    axes, points = drawn
    machines = [number for number, axis in enumerate(axes) if not axis.is_ordered]
    firsts: dict[Point, Point] = {}
    for point in points:
        firsts.setdefault(tuple(point[number] for number in machines), point)
    assert covering("latest", axes, points) == list(firsts.values())


@given(holding())
def test_ends_hold_the_oldest_and_the_newest_value_of_each_machine(drawn: tuple[list[Axis], list[Point]]) -> None:
    axes, points = drawn
    machines = [number for number, axis in enumerate(axes) if not axis.is_ordered]

    def reach(kept: list[Point]) -> set[tuple[Point, int, int, int]]:
        groups: dict[Point, list[Point]] = {}
        for point in kept:
            groups.setdefault(tuple(point[number] for number in machines), []).append(point)
        return {
            (machine, number, min(point[number] for point in group), max(point[number] for point in group))
            for machine, group in groups.items()
            for number, axis in enumerate(axes)
            if axis.is_ordered
        }

    assert reach(covering("ends", axes, points)) == reach(points)


@given(holding(), st.integers(1, 6))
def test_the_most_telling_are_as_many_as_allowed(drawn: tuple[list[Axis], list[Point]], most: int) -> None:
    _, points = drawn
    kept = most_telling(points, most)
    assert len(kept) == min(most, len(points))
    assert kept == sorted(kept)


def test_pairwise_comes_near_the_fewest_possible() -> None:
    """Five axes of four values need 16 combinations at least; one at a time would take 1,024."""
    axes = [Axis(name, tuple("0123")) for name in NAMES]
    chosen = pairwise(axes, list(product(range(4), repeat=5)))
    assert 16 <= len(chosen) <= 30


def test_a_new_release_leaves_nearly_all_of_the_others_as_they_were() -> None:
    """Places count from the newest value, so that a new one moves all others by one. Only what was chosen at the end,
    for pairs that no stage had covered, may go: the new stage covers some of them.
    """
    sizes = (2, 3, 10, 3, 3)
    axes = [Axis(name, tuple(map(str, range(size)))) for name, size in zip(NAMES, sizes, strict=True)]
    before = pairwise(axes, list(product(*map(range, sizes))))
    grown = [axis._replace(values=(*axis.values, "new")) if axis.name == "torch" else axis for axis in axes]
    after = pairwise(grown, list(product(*(range(len(axis.values)) for axis in grown))))
    moved = {(*point[:2], point[2] + 1, *point[3:]) for point in before}
    assert len(moved - set(after)) <= len(before) / 10
