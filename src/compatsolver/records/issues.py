"""Known issues of a component, for the page on one of its versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.facts import Known
from compatsolver.records.book import inside

if TYPE_CHECKING:
    from compatsolver.records.book import Book, Row

_SHOWN = ("id", "severity", "summary", "cause", "remedy")
_LIMITS = ("platforms", "cuda", "compute_capability", "beside")


def issues_of(book: Book, component: str, version: str, platform: str | None = None, cuda: str | None = None) -> Known:
    """The issues that a version may have, each with what limits it; a platform or a runtime given leaves out others."""
    rows = [row for row in book.tables["issues"] if row["component"] == component and _holds(row, version)]
    if platform is not None:
        rows = [row for row in rows if "platforms" not in row or platform in row["platforms"]]
    if cuda is not None:
        rows = [row for row in rows if "cuda" not in row or inside(cuda, row["cuda"])]
    return book.known([_shown(row) for row in rows], *rows) if rows else Known([])


def _holds(row: Row, version: str) -> bool:
    if row["versions"] is None:
        return True
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(row["versions"]).contains(version, prereleases=True)


def _shown(row: Row) -> dict[str, Any]:
    return {column: row[column] for column in (*_SHOWN, *_LIMITS) if column in row}
