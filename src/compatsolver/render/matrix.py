"""A matrix for people, in Markdown: the cells as a table, what was left out, and what does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters.matrices.table import markdown_table
from compatsolver.model.cell import name_of
from compatsolver.render.markup import escaped, page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.cells.stability import Change
    from compatsolver.model.cell import Exclusion, Matrix


def matrix_markdown(matrix: Matrix) -> str:
    """The whole answer, a newline at its end."""
    return page(
        [
            [f"### {_headline(matrix)}"],
            markdown_table(matrix) if matrix.cells else [],
            list(_ends(matrix)),
            _listed("Left out, for want of room:", matrix.left_out),
            _listed("Does not hold:", [_exclusion(entry) for entry in matrix.excluded]),
            [f"Note: {escaped(note)}" for note in matrix.notes],
            [f"Catalogue {matrix.catalog['version']} (digest {matrix.catalog['digest'][:12]})"],
        ]
    )


def changes_text(changes: Sequence[Change]) -> str:
    """What is different between two matrices, a line a cell."""
    if not changes:
        return "nothing changes\n"
    return "".join(f"{change.what:<8} {change.name}{_moved(change)}\n" for change in changes)


def _moved(change: Change) -> str:
    return f": {', '.join(change.moves)}" if change.moves else ""


def _headline(matrix: Matrix) -> str:
    cells = "1 cell" if len(matrix) == 1 else f"{len(matrix)} cells"
    return f"{cells}: {matrix.holding} of {matrix.combinations} combinations hold"


def _ends(matrix: Matrix) -> Iterator[str]:
    for axis, (oldest, newest) in matrix.ends.items():
        if oldest != newest:
            yield f"- {axis}: {oldest} is the oldest that holds, {newest} the newest"


def _exclusion(entry: Exclusion) -> str:
    """The values, how often they occur, and why not, where reasons were asked for."""
    values = name_of(entry.axes) or "any of them"
    return f"{values} (×{entry.combinations})" + (f": {entry.summary}" if entry.summary else "")


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    return [title, "", *(f"- {escaped(line)}" for line in lines)] if lines else []
