"""The curves of how a solve grows: the universes are what they are said to be, the drawings are of the kept points."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from compatsolver.solver.network import Network
from compatsolver.solver.search import search
from curves.__main__ import DRAWINGS, GROWTHS, OURS, POINTS, Growth, drawings
from curves.chart import Chart, drawn
from measuring.implications import Candidate, resolvelib_pins

SMALL = pytest.mark.parametrize("growth", GROWTHS, ids=[growth.name for growth in GROWTHS])
SVG = "{http://www.w3.org/2000/svg}"


@SMALL
def test_both_solvers_agree_on_the_smallest(growth: Growth) -> None:
    universe = growth.universe(growth.sizes[0])
    ours = search(Network(len(universe.domains), universe.clauses()), universe.domains)
    assert (ours is not None) == (resolvelib_pins(universe) is not None) == growth.solvable


def test_a_solution_meets_every_requirement() -> None:
    universe = GROWTHS[0].universe(20)
    found = search(Network(len(universe.domains), universe.clauses()), universe.domains)
    assert found is not None
    assert all(domain >> position & 1 for domain, position in zip(universe.domains, found, strict=True))
    for slot, position in enumerate(found):
        assert all(wanted.mask >> found[wanted.slot] & 1 for wanted in universe.requires[Candidate(slot, position)])


def test_the_drawings_are_those_of_the_kept_points() -> None:
    kept = json.loads(POINTS.read_text(encoding="utf-8"))
    assert {name: (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8") for name, _ in drawings(kept)} == dict(
        drawings(kept)
    )
    assert {path.stem for path in DRAWINGS.iterdir()} == {growth.name for growth in GROWTHS}


@SMALL
def test_ours_reaches_the_largest_size(growth: Growth) -> None:
    points = json.loads(POINTS.read_text(encoding="utf-8"))["curves"][growth.name][OURS]
    assert [size for size, _ in points] == list(growth.sizes)


def test_ten_times_as_much_is_a_decade_of_the_axis_further() -> None:
    root = ElementTree.fromstring(drawn(Chart("A < B", "x", "y", {"ours": [(1, 1), (10, 10), (100, 100)]})))
    circles = [(float(node.get("cx", "")), float(node.get("cy", ""))) for node in root.iter(f"{SVG}circle")]
    (x0, y0), (x1, y1), (x2, y2) = circles
    assert (x1 - x0, y0 - y1) == (x2 - x1, y1 - y2)
    assert x0 < x1
    assert y0 > y1
