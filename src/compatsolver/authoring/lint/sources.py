"""Every fact says where it was read, and nothing was released after the day the tables claim to be complete to."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.schema import ComponentRow, Tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.rows import Row


def source_given(tables: Tables) -> Iterator[Finding]:
    """A row that states a fact has a source: without one nobody can check it. Components are definitions, not facts."""
    for row in every_row(tables):
        if not isinstance(row, ComponentRow) and getattr(row, "sources", None) == []:
            yield Finding(row, "the row has no source", "add `id#where in it` to its `sources`")


def source_declared(tables: Tables) -> Iterator[Finding]:
    """Every reference names a source of `sources.yaml`: answers print its title and address."""
    for row, reference in _references(tables):
        identifier = _identifier(reference)
        if identifier not in tables.sources:
            near = get_close_matches(identifier, tables.sources, 1)
            tip = f"is {near[0]} meant?" if near else "add it to sources.yaml"
            yield Finding(row, f"the source {identifier!r} is not declared", tip)


def source_used(tables: Tables) -> Iterator[Finding]:
    """Every declared source is cited: one that is not was left behind, or a row lost its source."""
    cited = {_identifier(reference) for _, reference in _references(tables)}
    for identifier, row in tables.sources.items():
        if identifier not in cited:
            yield Finding(row, f"no row cites the source {identifier!r}", "cite it where it was read, or remove it")


def source_cited_once(tables: Tables) -> Iterator[Finding]:
    """A row cites the same place once: twice would look like two sources."""
    for row in every_row(tables):
        cited = getattr(row, "sources", [])
        if isinstance(cited, list) and len(set(cited)) < len(cited):
            yield Finding(row, "the row cites the same place twice", "keep one of them")


def source_address(tables: Tables) -> Iterator[Finding]:
    """A source's address can be opened; what has none says null."""
    for identifier, row in tables.sources.items():
        if row.url is not None and not row.url.startswith(("https://", "http://")):
            yield Finding(row, f"the address of {identifier!r} is not a URL: {row.url!r}", "write https://…, or null")


def source_read(tables: Tables) -> Iterator[Finding]:
    """A row that claims to be documented has a source that somebody opened; a citation alone makes it inferred."""
    unread = {identifier for identifier, row in tables.sources.items() if not row.retrieved}
    for row in every_row(tables):
        cited = {_identifier(reference) for reference in getattr(row, "sources", ())}
        if getattr(row, "evidence", None) == "documented" and cited and cited <= unread:
            yield Finding(row, "none of its sources was read", "read one and date it, or call the evidence inferred")


def released_within_horizon(tables: Tables) -> Iterator[Finding]:
    """Nothing was released after the horizon: either the day is wrong or the horizon was not moved.

    A document may be read later: that says nothing of what else was released since.
    """
    for row in every_row(tables):
        day = getattr(row, "released", None)
        if day is not None and day > tables.horizon:
            yield Finding(row, f"{day} is after the horizon {tables.horizon}", "correct the day, or move the horizon")


def _references(tables: Tables) -> Iterator[tuple[Row, str]]:
    for row in every_row(tables):
        for reference in getattr(row, "sources", ()):
            yield row, reference


def _identifier(reference: str) -> str:
    return reference.partition("#")[0]


LINTS: tuple[Lint, ...] = (
    source_given,
    source_declared,
    source_used,
    source_cited_once,
    source_address,
    source_read,
    released_within_horizon,
)
