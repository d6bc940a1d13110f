"""Lists are sorted and hold nothing twice, so that a reader finds a row and a change shows as one line."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.schema import BuildRow, LibraryRelease, Tables, WheelRow
from compatsolver.model.version import Capability, NumericVersion, PythonVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from compatsolver.authoring.rows import Row


def newest_first(tables: Tables) -> Iterator[Finding]:
    """Rows with a version stand newest first, and each version once: the first that serves is the newest."""
    lists: list[tuple[Sequence[Any], Callable[[Any], Any]]] = [
        (tables.capabilities, lambda row: Capability.parse(row.compute_capability)),
        (tables.branches, lambda row: row.first_major),
        (tables.toolkits, lambda row: NumericVersion.parse(row.version)),
        (tables.cudnn_releases, lambda row: package_version(row.version)),
        (tables.nccl_releases, lambda row: package_version(row.version)),
        (tables.torch, lambda row: package_version(row.version)),
        *((releases, lambda row: package_version(row.version)) for releases in tables.libraries.values()),
    ]
    for rows, version in lists:
        for before, row in pairwise(rows):
            if version(row) >= version(before):
                what = "stands twice" if version(row) == version(before) else f"stands after {version(before)}"
                yield Finding(row, f"{version(row)} {what}", "keep rows newest first, each version once")


def alphabetical(tables: Tables) -> Iterator[Finding]:
    """Rows with a name stand in alphabetical order, as `sorted` puts them: capitals before small letters."""
    named: list[Iterable[tuple[str, Row]]] = [
        tables.sources.items(),
        tables.aliases.items(),
        ((row.name, row) for row in tables.products),
        ((row.name, row) for row in tables.nvidia_smi_names),
    ]
    for rows in named:
        for (before, _), (name, row) in pairwise(rows):
            if name < before:
                yield Finding(row, f"{name!r} stands after {before!r}", "keep names in alphabetical order")


def names_unique(tables: Tables) -> Iterator[Finding]:
    """A component, a name the driver prints, or a product's meaning stands once: two rows could come to differ."""
    keyed: list[tuple[Sequence[Row], Callable[[Any], object]]] = [
        (tables.components, lambda row: row.name),
        (tables.nvidia_smi_names, lambda row: row.name),
        (tables.products, lambda row: (row.name, row.compute_capability, row.chip, row.memory_gib, row.market)),
    ]
    for rows, key in keyed:
        seen = set()
        for row in rows:
            if key(row) in seen:
                yield Finding(row, f"{getattr(row, 'name', row)!r} stands twice", "keep one row")
            seen.add(key(row))


def builds_sorted(tables: Tables) -> Iterator[Finding]:
    """Builds of a release stand newest CUDA first and CPU last, then by platform; each build and platform once."""
    for release in tables.torch:
        for before, build in pairwise(release.builds):
            if build_key(build.build, build.platform) <= build_key(before.build, before.platform):
                what = f"torch {release.version}: {build.build} {build.platform}"
                tip = "keep builds newest CUDA first, cpu last, then by platform, each once"
                yield Finding(build, f"{what} stands after {before.build} {before.platform}", tip)


def pythons_sorted(tables: Tables) -> Iterator[Finding]:
    """Pythons stand newest first, the free-threaded build after the ordinary one, each once."""
    for row in every_row(tables):
        pythons = row.pythons if isinstance(row, (BuildRow, WheelRow)) else None
        if isinstance(pythons, list) and pythons != sorted(set(pythons), key=_python_key):
            yield Finding(row, f"the Pythons {', '.join(pythons)} are not in order", "write the newest first")


def keys_sorted(tables: Tables) -> Iterator[Finding]:
    """Requirements stand in alphabetical order of their names, so that a reader finds one."""
    for row in every_row(tables):
        if isinstance(row, LibraryRelease):
            keyed = (row.requires.keys(), row.extras.keys(), *(added.keys() for added in row.extras.values()))
            for names in map(list, keyed):
                if names != sorted(names):
                    message = f"{row.version}: {', '.join(names)} are not in order"
                    yield Finding(row, message, "write the keys in alphabetical order")


def _python_key(text: str) -> tuple[int, int, bool]:
    python = PythonVersion.parse(text)
    return (-python.major, -python.minor, python.free_threaded)


def build_key(build: str, platform: str) -> tuple[int, str, str]:
    """Where a build stands in its release: newest CUDA first, then cpu and builds with other names, by platform."""
    digits = build.removeprefix("cu")
    return (-int(digits), "", platform) if digits.isdigit() else (1, build, platform)


LINTS: tuple[Lint, ...] = (newest_first, alphabetical, names_unique, builds_sorted, pythons_sorted, keys_sorted)
