"""Rules on packages that are compiled against torch: wheels outside the index, and the GPUs that they run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.hosts import bounded
from compatsolver.authoring.rules.wheels import elsewhere
from compatsolver.model.component import NONE, members
from compatsolver.model.rule import Kind, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.schema import LibraryRelease, PrebuiltRow
    from compatsolver.authoring.universe import Universe

PREBUILT, RUNS_ON = "prebuilt", "runs_on"
_MOST_SOURCES = 4


def extension_rules(universe: Universe, references: References) -> Iterator[Rule]:
    """Rules from `prebuilt`, which are to be avoided breaking, and from `runs_on`."""
    for package in universe.releases:
        yield from _prebuilt(package, universe, references)
        yield from _capabilities(package, universe, references)


def _prebuilt(package: str, universe: Universe, references: References) -> Iterator[Rule]:
    """One rule an axis; releases whose wheels are for the same values share it."""
    shared: dict[tuple[str, tuple[str, ...]], int] = {}
    for position, row in enumerate(universe.releases[package]):
        for axis, values in _axes(row.prebuilt).items():
            shared[axis, values] = shared.get((axis, values), 0) | 1 << position
    for (axis, values), releases in shared.items():
        rows = _of(package, releases, universe)
        cited = [source for row in rows for wheels in row.prebuilt for source in wheels.sources]
        yield Rule(
            id=f"{package}-prebuilt-{axis}/{','.join(values)}",
            kind=_KINDS[axis],
            literals=(
                Literal(package, universe.everything(package) & ~releases),
                Literal(axis, _values(universe, axis, values)),
            ),
            evidence="documented",
            sources=references.positions(cited)[:_MOST_SOURCES],
            field=PREBUILT,
            avoid=True,
        )


_KINDS = {
    "torch": Kind.EXT_TORCH_ABI,
    "cuda": Kind.EXT_TORCH_ABI,
    "python": Kind.PYTHON_NO_WHEEL,
    "platform": Kind.INDEX_NO_SUCH_WHEEL,
}


def _axes(rows: list[PrebuiltRow]) -> dict[str, tuple[str, ...]]:
    """What the wheels of a release are for, each axis by itself."""
    if not rows:
        return {}
    columns = {axis: [value for row in rows for value in getattr(row, axis)] for axis in ("torch", "cuda")}
    columns["python"] = [python for row in rows for python in row.pythons]
    columns["platform"] = [row.platform for row in rows]
    return {axis: tuple(dict.fromkeys(values)) for axis, values in columns.items()}


def _values(universe: Universe, axis: str, values: tuple[str, ...]) -> int:
    """The candidates of an axis that are meant; torch is named by its line, CUDA by its major."""
    if axis == "platform":
        return universe.everything(axis) & ~elsewhere(universe, values).allowed
    if axis == "python":
        return universe.only(axis, *values)
    lines = [SpecifierSet(f"=={value}.*") for value in values]
    return universe.where(
        axis, lambda candidate: candidate.version != NONE and any(candidate.version in line for line in lines)
    )


def _capabilities(package: str, universe: Universe, references: References) -> Iterator[Rule]:
    shared: dict[tuple[str | None, ...], int] = {}
    for position, row in enumerate(universe.releases[package]):
        if row.runs_on:
            ends = tuple(end for _, end in row.runs_on.compute_capability.columns())
            shared[ends] = shared.get(ends, 0) | 1 << position
    for releases in shared.values():
        rows = [row for row in _of(package, releases, universe) if row.runs_on]
        fact = rows[0].runs_on
        assert fact is not None
        bounds = fact.compute_capability
        yield Rule(
            id=f"{package}-runs-on/{bounds.at_least or bounds.above or ''}",
            kind=Kind.ARCH_BELOW_LIB_MIN,
            literals=(
                Literal(package, universe.everything(package) & ~releases),
                Literal("gpu", bounded(universe, "gpu", bounds) | universe.only("gpu", NONE)),
            ),
            evidence=fact.evidence,
            sources=references.positions(source for row in rows if row.runs_on for source in row.runs_on.sources),
            field=RUNS_ON,
        )


def _of(package: str, releases: int, universe: Universe) -> list[LibraryRelease]:
    return [universe.releases[package][position] for position in members(releases)]
