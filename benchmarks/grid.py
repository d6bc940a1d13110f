"""P8: a bulk grid of targets with six packages on one core; the peer is the same number of single solves."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.load import bundled
from compatsolver.cells.axes import Axis
from compatsolver.cells.grid import Grid
from compatsolver.cells.pieces import Pieces
from compatsolver.model.request import Listing, Requirement
from measuring.pairs import in_turns
from measuring.report import head, line, show, wanted_turns

if TYPE_CHECKING:
    from compatsolver.model.request import Target

PACKAGES = ("torch", "transformers", "peft", "accelerate", "datasets", "bitsandbytes")
GPUS = (
    "GTX 1080 Ti",
    "V100",
    "T4",
    "RTX 3090",
    "A100",
    "RTX 4090",
    "H100",
    "B200",
    "RTX 5090",
    "T4+H100",
    "none",
    "8.7",
)
AXES: dict[str, tuple[str, ...]] = {
    "platform": ("linux-x86_64", "linux-aarch64", "windows-x86_64"),
    "gpu": GPUS,
    "python": ("3.13", "3.12", "3.11", "3.10", "3.9"),
    "driver": tuple(
        f"{major}.{minor}"
        for major in (450, 470, 515, 525, 535, 550, 560, 565, 570, 575, 580, 590, 595, 610)
        for minor in (50, 90, 120, 200)
    ),
}


def main() -> None:
    turns = min(9, wanted_turns(5))
    head()
    grid = fresh()
    pairs = in_turns(solve_grid, solve_singly, turns)
    given = f"{len(grid)} targets, {len(PACKAGES)} packages: {', '.join(PACKAGES)}"
    show("P8  grid ÷ the same targets solved one by one", given, pairs, goals="no goal", unit="s")
    rate = len(grid) / min(pairs.subject)
    line("rate", f"{rate / 1000:.1f} k targets/s (must be 20, stretch 200)")


def fresh() -> Grid:
    """A grid that has solved nothing yet."""
    requirements = tuple(Requirement(name, "", name) for name in PACKAGES)
    axes = [Axis(name, values) for name, values in AXES.items()]
    machines: list[dict[str, str | None]] = [
        {"platform": platform, "gpu": gpu, "python": python}
        for platform in AXES["platform"]
        for gpu in AXES["gpu"]
        for python in AXES["python"]
    ]

    def listing(_target: Target) -> Listing:
        return Listing(requirements)

    return Grid(axes, Pieces(bundled(), listing, machines, None))


def solve_grid() -> float:
    grid = fresh()
    start = perf_counter()
    grid.holding()
    return perf_counter() - start


def solve_singly() -> float:
    grid = fresh()
    start = perf_counter()
    for point in grid.points():
        stated: Any = grid.pieces.stated(grid.values(point))
        if stated.problem is not None:
            grid.solve(stated.problem, stated)
    return perf_counter() - start


if __name__ == "__main__":
    main()
