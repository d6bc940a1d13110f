"""What a lint finds, and the walk over all rows that several lints share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from compatsolver.authoring.rows import Row
from compatsolver.authoring.schema import Tables


@dataclass(frozen=True)
class Finding:
    """A row that is wrong, in one sentence about what is wrong and one about what to do."""

    row: Row
    message: str
    tip: str


@dataclass(frozen=True, order=True)
class Problem:
    """A finding with its `file:line` and the name of the lint."""

    place: str
    lint: str
    message: str
    tip: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}; {self.tip} [{self.lint}]"


Lint = Callable[[Tables], Iterator[Finding]]


def every_row(tables: Tables) -> Iterator[Row]:
    """All rows of all tables, each before the rows inside it."""
    for column in fields(tables):
        if column.name != "places":
            yield from _rows(getattr(tables, column.name))


def _rows(value: object) -> Iterator[Row]:
    if isinstance(value, Row):
        yield value
        for _, inside in value.columns():
            yield from _rows(inside)
    elif isinstance(value, list):
        for entry in value:
            yield from _rows(entry)
    elif isinstance(value, dict):
        yield from _rows(list(value.values()))
