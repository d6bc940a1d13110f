"""A noxfile with one session a cell: `nox -s cells` runs them all.

What it cannot express: GPU, driver, platform and image. A session runs on the machine that nox runs on, so the id says
what it was meant for.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.cell import Cell, Matrix

_SESSION = """]


@nox.session
@nox.parametrize(["python", "packages"], CELLS)
def cells(session, packages):
    \"\"\"Install the plan of a cell, the project and pytest, and run the tests.\"\"\"
    session.install(*packages)
    session.install("-e", ".", "pytest")
    session.run("pytest")"""


def render(matrix: Matrix) -> str:
    """Python source, to be saved as noxfile.py or imported by one."""
    return "\n".join(_lines(matrix)) + "\n"


def _lines(matrix: Matrix) -> Iterator[str]:
    yield f'"""One session a cell, made by compatsolver from the catalogue of {matrix.catalog["version"]}."""'
    yield from ("", "import nox", "", "CELLS = [")
    for cell in matrix:
        yield f"    nox.param({cell.axes['python']!r}, {_arguments(cell)!r}, id={cell.id!r}),"
    yield _SESSION


def _arguments(cell: Cell) -> list[str]:
    """What pip takes after `install`."""
    return [word for line in cell.commands.get("pip", ()) for word in shlex.split(line)[2:]]
