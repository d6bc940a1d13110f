"""A matrix as a table: CSV for programs, Markdown for people."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from compatsolver.emitters.matrices.rows import row_of

if TYPE_CHECKING:
    from compatsolver.model.cell import Matrix

_LONG = ("id", "image", "index", "install-pip", "install-uv")


def render_csv(matrix: Matrix) -> str:
    """A header and a line for each cell; a column that a cell has nothing for is empty there."""
    rows = [row_of(cell) for cell in matrix]
    text = StringIO()
    writer = csv.DictWriter(text, _columns(rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def markdown_table(matrix: Matrix) -> list[str]:
    """The lines of a table with what tells cells apart and their versions, without commands and addresses."""
    rows = [row_of(cell) for cell in matrix]
    columns = [column for column in _columns(rows) if column not in _LONG]
    table = [columns, ["---"] * len(columns), *([row.get(column, "") for column in columns] for row in rows)]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in table]


def _columns(rows: list[dict[str, str]]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))
