"""How much the tables hold and how well it is known: rows, rows with two sources, facts by level of evidence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.model.provenance import EVIDENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Row = dict[str, Any]


class Figures(NamedTuple):
    """Of one table: its rows, those that cite two documents or more, and its facts by level.

    A torch build states a fact in each column that has evidence; any other row is one fact.
    """

    table: str
    rows: int
    two_sources: int
    levels: Mapping[str, int]

    def __str__(self) -> str:
        facts = sum(self.levels.values())
        shares = [f"{level} {self.levels[level] / facts:.0%}" for level in EVIDENCE if self.levels.get(level)]
        return (
            f"{self.table:18} {self.rows:6} rows  {self.two_sources / self.rows:4.0%} two sources  {', '.join(shares)}"
        )


def figures(tables: Mapping[str, Any]) -> list[Figures]:
    """Of every table whose rows have sources and evidence, and of all together."""
    found = [_of(name, list(rows)) for name, rows in _tables(tables) if rows]
    levels: Counter[str] = Counter()
    for each in found:
        levels.update(each.levels)
    total = Figures("all", sum(each.rows for each in found), sum(each.two_sources for each in found), levels)
    return [*found, total]


def _tables(tables: Mapping[str, Any]) -> Iterator[tuple[str, list[Row]]]:
    for name, rows in tables.items():
        if isinstance(rows, list) and name not in ("torch", "components") and rows and "evidence" in rows[0]:
            yield name, rows
    builds = [build for release in tables["torch"] for build in release["builds"]]
    releases = [release for rows in tables["libraries"].values() for release in rows]
    yield "torch builds", builds
    yield "torch arch lists", [build["archs"] for build in builds if build["archs"]]
    yield "library releases", releases
    yield "library pairs", [pair for release in releases for pair in release.get("works_with", ())]
    yield "library binaries", [binary for release in releases for binary in release.get("binaries") or ()]


def _of(name: str, rows: list[Row]) -> Figures:
    levels: Counter[str] = Counter()
    for row in rows:
        evidence = row["evidence"]
        levels.update(evidence.values() if isinstance(evidence, dict) else [evidence])
    return Figures(name, len(rows), sum(len(_documents(row)) > 1 for row in rows), levels)


def _documents(row: Row) -> set[str]:
    return {reference.partition("#")[0] for reference in row["sources"]}
