"""From a question about many combinations to a matrix: axes, grid, choice, and a plan for each cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.hosts import read_driver
from compatsolver.cells.axes import Axis, is_range, package_axis
from compatsolver.cells.covering import covering, most_telling, without
from compatsolver.cells.grid import Grid
from compatsolver.cells.pieces import Pieces
from compatsolver.emitters.images import slim_python
from compatsolver.errors import EngineDisagreement, InputError
from compatsolver.explanation.answer import answer
from compatsolver.model.cell import Cell, Exclusion, Matrix, name_of
from compatsolver.model.component import NONE
from compatsolver.model.request import normalised
from compatsolver.model.resolution import CONFLICT, RESOLVED
from compatsolver.model.version import PythonVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.cells.grid import Nogood, Point
    from compatsolver.cells.pieces import Values
    from compatsolver.cells.question import Question
    from compatsolver.model.request import Requirement
    from compatsolver.model.resolution import Resolution

MOST_COMBINATIONS = 200_000


def matrix_of(catalog: Catalog, question: Question) -> Matrix:
    """The cells that stand for all combinations; raises InputError where the question cannot be asked."""
    grid = _grid(catalog, question)
    holding = grid.holding()
    chosen = covering(question.cover, grid.axes, holding)
    kept = chosen if question.most is None or len(chosen) <= question.most else most_telling(chosen, question.most)
    return Matrix(
        cells=tuple(_cell(grid, point) for point in kept),
        asked=question.words(_written(grid.pieces.requirements)),
        axes={axis.name: tuple(map(str, axis.values)) for axis in grid.axes if axis.values != (None,)},
        ends=_ends(grid, holding),
        combinations=len(grid),
        holding=len(holding),
        catalog=catalog.identity(),
        excluded=tuple(_exclusion(grid, nogood, count, question.reasons) for nogood, count in grid.excluded.items()),
        left_out=tuple(name_of(_given(grid, point)) for point in without(chosen, kept)),
        notes=question.notes,
    )


def _grid(catalog: Catalog, question: Question) -> Grid:
    if {NONE, "cpu"} & set(question.cudas):
        raise InputError("a CPU build is no CUDA runtime", hint="for cells without a GPU add --gpu none")
    gpus = question.gpus or (None,)
    machines: list[Values] = [
        {"platform": platform, "gpu": gpu, "python": python}
        for platform in question.platforms
        for gpu in gpus
        for python in question.pythons
    ]
    pieces = Pieces(catalog, question.listing, machines, question.glibc)
    axes = [
        Axis("platform", question.platforms),
        Axis("gpu", gpus),
        *_package_axes(catalog, question, pieces.requirements),
        Axis("cuda", _newest_first(question.cudas, _numbers)),
        Axis("python", _newest_first(question.pythons, PythonVersion.parse)),
        Axis("driver", _newest_first(question.drivers, lambda text: read_driver(catalog, text))),
    ]
    grid = Grid(axes, pieces)
    if len(grid) > MOST_COMBINATIONS:
        sizes = ", ".join(f"{len(axis.values)} of {axis.name}" for axis in axes if len(axis.values) > 1)
        raise InputError(
            f"{len(grid)} combinations are more than {MOST_COMBINATIONS}: {sizes}",
            hint="give fewer values or narrower ranges, or say with --vary which packages make an axis",
        )
    return grid


def _package_axes(catalog: Catalog, question: Question, read: Sequence[Sequence[Requirement]]) -> list[Axis]:
    """An axis for each package with a range on every machine; where a marker makes it differ, it is no axis."""
    everywhere = [entry for entry in read[0] if all(entry in others for others in read)]
    ranged = dict.fromkeys(
        entry.name for entry in everywhere if is_range(entry) and catalog.components[entry.name].kind == "package"
    )
    names = ranged if question.vary is None else [normalised(name) for name in question.vary]
    for name in names:
        if name not in ranged:
            raise InputError(f"{name} has no range to vary in", hint=f"give it one, such as '{name}>=…'")
    return [package_axis(catalog, name, everywhere) for name in sorted(names, key=lambda name: name != "torch")]


def _written(read: Sequence[Sequence[Requirement]]) -> list[str]:
    """The requirements as typed, each once."""
    return list(dict.fromkeys(entry.text for requirements in read for entry in requirements))


def _newest_first(values: Sequence[str], key: Callable[[str], Any]) -> tuple[str | None, ...]:
    return tuple(sorted(dict.fromkeys(values), key=key, reverse=True)) or (None,)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def _cell(grid: Grid, point: Point) -> Cell:
    plan = _answer(grid, point)
    if plan.verdict != RESOLVED:
        raise EngineDisagreement("a combination holds in a matrix and not by itself", case=name_of(_given(grid, point)))
    axes = _given(grid, point)
    return Cell(
        axes=axes,
        pins=plan.pins,
        runtime=plan.runtime,
        commands=plan.commands,
        conditions=plan.conditions,
        image=_image(axes["platform"], axes["python"]),
    )


def _image(platform: str, python: str) -> str | None:
    """An image to run the cell in; none where there are no official ones."""
    return slim_python(python) if platform.startswith("linux") and not python.endswith("t") else None


def _answer(grid: Grid, point: Point) -> Resolution:
    host, request = grid.pieces.request(grid.values(point))
    catalog = grid.pieces.catalog
    return answer(catalog, host, request, today=catalog.horizon)


def _given(grid: Grid, point: Point) -> dict[str, str]:
    return {axis: value for axis, value in grid.values(point).items() if value is not None}


def _ends(grid: Grid, holding: Sequence[Point]) -> dict[str, tuple[str, str]]:
    """The oldest and the newest value of each ordered axis that holds in some combination."""
    ends = {}
    for number, axis in enumerate(grid.axes):
        held = [point[number] for point in holding]
        if axis.is_ordered and held and axis.values != (None,):
            ends[axis.name] = str(axis.values[max(held)]), str(axis.values[min(held)])
    return ends


def _exclusion(grid: Grid, nogood: Nogood, count: int, reasons: bool) -> Exclusion:
    """Why some values do not hold; finding the words takes longer than finding that they do not."""
    exclusion = Exclusion(grid.pattern(nogood), count)
    if not reasons:
        return exclusion
    plan = _answer(grid, nogood.point)
    if plan.verdict == CONFLICT:
        conflict = plan.conflicts[0]
        return exclusion._replace(verdict=CONFLICT, summary=conflict.summary, because=conflict.because)
    missing = "; ".join(f"{entry.fact}: {entry.why}" for entry in plan.missing)
    return exclusion._replace(verdict=plan.verdict, summary=f"not known: {missing}")
