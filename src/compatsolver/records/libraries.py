"""Facts on the packages beside torch, release by release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.facts import UNKNOWN, Facts, Known
from compatsolver.model.version import package_version
from compatsolver.records.book import Book, Row, day, read_version
from compatsolver.records.issues import issues_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = ("yanked", "requires_python", "requires", "wheels")
_PROVENANCE = ("evidence", "sources", "notes")


def release_list(book: Book, name: str) -> Facts:
    """A package without a version: its releases, newest first."""
    rows = book.tables["torch"] if name == "torch" else book.tables["libraries"][name]
    releases = [
        {"version": row["version"], "released": day(row["released"]), "yanked": row.get("yanked", False)}
        for row in rows
    ]
    return Facts(name, book.catalog.identity(), {"exists": Known(True), "releases": book.known(releases, rows[0])})


def library_facts(book: Book, name: str, version: str) -> Facts:
    """A release: what it requires, what it works with, where it has wheels, which native libraries they hold."""
    rows = book.tables["libraries"][name]
    wanted = read_version(version)
    row = next((row for row in rows if package_version(row["version"]) == wanted), None)
    subject = f"{name} {version}"
    if row is None:
        newest, oldest = rows[0]["version"], rows[-1]["version"]
        between = package_version(oldest) <= wanted <= package_version(newest)
        note = f"the catalogue of {book.catalog.horizon} lists {name} {oldest} to {newest}"
        exists = False if between and not wanted.is_prerelease else UNKNOWN
        return Facts(subject, book.catalog.identity(), {"exists": Known(exists)}, (note,))
    fields = {
        "exists": book.known(True, row),
        "released": book.known(day(row["released"]), row),
        **{column: book.stated(row[column], row) for column in _PLAIN},
        "extras": book.known(row.get("extras", {}), row),
        "runs_on": _runs_on(book, row),
        "works_with": _many(book, row.get("works_with", ())),
        "binaries": _many(book, row["binaries"]) if row.get("binaries") else Known(None),
        "prebuilt": _many(book, row.get("prebuilt", ())),
        "issues": issues_of(book, name, row["version"]),
    }
    return Facts(subject, book.catalog.identity(), fields, tuple(row.get("notes", ())))


def _runs_on(book: Book, row: Row) -> Known:
    fact = row.get("runs_on")
    return book.known({"compute_capability": fact["compute_capability"]}, fact) if fact else Known(None)


def _many(book: Book, rows: Iterable[Row]) -> Known:
    """Several rows of their own, each without its provenance, which is told of all together."""
    listed = list(rows)
    if not listed:
        return Known([])
    inside = [*listed, *(row["archs"] for row in listed if row.get("archs"))]
    return book.known([_bare(row) for row in listed], *inside, evidence=_weakest(inside))


def _bare(row: Row) -> dict[str, Any]:
    shown = {key: value for key, value in row.items() if key not in _PROVENANCE}
    return shown | {"archs": _bare(row["archs"])} if row.get("archs") else shown


def _weakest(rows: list[Row]) -> str:
    from compatsolver.model.provenance import EVIDENCE

    levels: list[str] = [row["evidence"] for row in rows]
    return max(levels, key=EVIDENCE.index)
