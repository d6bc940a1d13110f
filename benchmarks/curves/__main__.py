"""Measure how the time of a solve grows and draw it.

python -m curves             measure, write points.json, draw docs/curves/*.svg
python -m curves --draw      draw the points that were kept
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from datetime import date
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.solver.network import Network
from compatsolver.solver.search import search
from curves.chart import Chart, drawn
from measuring.families import deep_conflict, release_trains
from measuring.implications import resolvelib_pins
from measuring.report import machine, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from measuring.implications import Universe

POINTS = Path(__file__).parent / "points.json"
DRAWINGS = Path(__file__).parents[2] / "docs" / "curves"
OURS, PATIENCE, TURNS = "compatsolver", 4.0, 3
UP = "processor time, × compatsolver at the smallest"


class Growth(NamedTuple):
    """A family of universes that grow: `universe` of a size, and whether it has a solution."""

    name: str
    title: str
    across: str
    sizes: Sequence[int]
    universe: Callable[[int], Universe]
    solvable: bool


GROWTHS = (
    Growth(
        "packages",
        "More packages: 20 releases each, three requirements a release",
        "packages",
        (10, 20, 50, 100, 200, 500),
        partial(release_trains, versions=20),
        solvable=True,
    ),
    Growth(
        "versions",
        "More versions: 20 packages, three requirements a release",
        "releases of each package",
        (10, 20, 50, 100, 200, 500, 1000),
        partial(release_trains, 20),
        solvable=True,
    ),
    Growth(
        "depth",
        "Deeper conflicts: a chain whose ends contradict each other, ten releases each",
        "requirements between the two ends",
        (1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 128),
        partial(deep_conflict, versions=10),
        solvable=False,
    ),
)


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--draw", action="store_true", help="measure nothing; draw the points that were kept")
    if not parser.parse_args().draw:
        POINTS.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
    DRAWINGS.mkdir(exist_ok=True)
    for name, drawing in drawings(json.loads(POINTS.read_text(encoding="utf-8"))):
        (DRAWINGS / f"{name}.svg").write_text(drawing, encoding="utf-8")


def drawings(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """By name, the drawings of points that were kept."""
    for growth in GROWTHS:
        yield growth.name, drawn(Chart(growth.title, growth.across, UP, document["curves"][growth.name]))


def measured() -> dict[str, Any]:
    """The points of every curve, and what they were taken on."""
    curves = {growth.name: grown(growth) for growth in GROWTHS}
    return {
        "date": date.today().isoformat(),
        "machine": machine(),
        "versions": versions("resolvelib", "python-sat"),
        "curves": curves,
    }


def grown(growth: Growth) -> dict[str, list[tuple[int, float]]]:
    """By tool its points; a curve ends where the next size takes too long."""
    taken: dict[str, dict[int, float]] = {}
    for tool, solve in TOOLS.items():
        print(f"{growth.name}: {tool}", file=sys.stderr, flush=True)
        taken[tool] = {}
        for size in growth.sizes:
            try:
                taken[tool][size] = seconds(solve, growth.universe(size), is_solvable=growth.solvable)
            except TimeoutError:
                break
    unit = taken[OURS][growth.sizes[0]]
    return {tool: [(size, float(f"{t / unit:.3g}")) for size, t in points.items()] for tool, points in taken.items()}


def seconds(solve: Callable[[Universe], bool], universe: Universe, *, is_solvable: bool) -> float:
    """The shortest of some runs; raises TimeoutError where one takes too long, ends where the answer is wrong."""
    best = float("inf")
    for _ in range(TURNS):
        start = process_time()
        found = solve(universe)
        best = min(best, process_time() - start)
        if found != is_solvable:
            raise SystemExit("a wrong answer")
        if best > PATIENCE:
            raise TimeoutError
    return best


def by_search(universe: Universe) -> bool:
    """Ours, from the clauses of the universe."""
    return search(Network(len(universe.domains), universe.clauses()), universe.domains) is not None


def by_resolvelib(universe: Universe) -> bool:
    """resolvelib, which takes the universe as it is."""
    return resolvelib_pins(universe, seconds=PATIENCE) is not None


def by_sat(universe: Universe) -> bool:
    """python-sat, from the clauses of the universe; any solution will do."""
    from measuring.boolean import Formula, sat_solver  # only the extra `peers` has what it imports

    formula = Formula([domain.bit_length() for domain in universe.domains], universe.clauses())
    return bool(sat_solver(formula).solve(assumptions=formula.excluded(universe.domains)))


TOOLS = {OURS: by_search, "resolvelib": by_resolvelib, "python-sat": by_sat}


if __name__ == "__main__":
    main()
