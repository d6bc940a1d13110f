"""A matrix that was kept: read again, held against the catalogue of today, and compared with a new one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.errors import InputError
from compatsolver.model.cell import SCHEMA, Cell
from compatsolver.model.resolution import Pin, Runtime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.model.cell import Matrix

GONE, NEW, MOVED = "gone", "new", "changed"


class Change(NamedTuple):
    """One cell that is different: `gone`, `new`, or `changed` with the packages that moved."""

    what: str
    name: str
    moves: tuple[str, ...] = ()


def read_cells(text: str, where: str, asked: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a matrix document that was made for the same question; raises InputError for any other text."""
    try:
        document = json.loads(text)
        if document["schema"] != SCHEMA:
            raise ValueError
        made_for = document["asked"]
        cells = tuple(map(_cell, document["cells"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{where}: no matrix of compatsolver", hint="write it anew with --update, or name another file"
        ) from None
    if made_for != dict(asked):
        different = [key for key in asked if made_for.get(key) != asked[key]]
        raise InputError(
            f"{where} was made for something else: {', '.join(different)} differs",
            hint="write it anew with --update, or ask as it was asked",
        )
    return cells


def with_cells(fresh: Matrix, kept: Sequence[Cell]) -> Matrix:
    """A new matrix with the cells of an old one, and a note on what it would have otherwise."""
    changes = compared(kept, fresh.cells)
    if not changes:
        return fresh
    note = f"kept as they were; {len(changes)} of the cells would differ today (--diff shows them, --update takes them)"
    return replace(fresh, cells=tuple(kept), notes=(*fresh.notes, note))


def compared(old: Sequence[Cell], new: Sequence[Cell]) -> tuple[Change, ...]:
    """What changed from one matrix to another: cells that went, then those that came or moved, in their order."""
    before, after = {cell.id: cell for cell in old}, {cell.id: cell for cell in new}
    return (*(Change(GONE, cell.name) for cell in old if cell.id not in after), *_came_or_moved(before, new))


def _came_or_moved(before: Mapping[str, Cell], new: Sequence[Cell]) -> Iterator[Change]:
    for cell in new:
        if cell.id not in before:
            yield Change(NEW, cell.name)
        elif moves := tuple(_moves(before[cell.id], cell)):
            yield Change(MOVED, cell.name, moves)


def _moves(old: Cell, new: Cell) -> Iterator[str]:
    was, now = ({pin.name: _spelt(pin) for pin in cell.pins} for cell in (old, new))
    for name in sorted({*was, *now}):
        if was.get(name) != now.get(name):
            yield f"{name} {was.get(name, '(none)')} → {now.get(name, '(none)')}"


def _spelt(pin: Pin) -> str:
    return f"{pin.version}+{pin.build}" if pin.build else pin.version


def _cell(document: Mapping[str, Any]) -> Cell:
    pins = [pin | {"extras": tuple(pin["extras"]), "because": tuple(pin["because"])} for pin in document["pins"]]
    return Cell(
        axes=dict(document["axes"]),
        pins=tuple(Pin(**pin) for pin in pins),
        runtime=Runtime(**document["runtime"]),
        commands={tool: tuple(lines) for tool, lines in document["commands"].items()},
        conditions=tuple(document["conditions"]),
        image=document["image"],
    )
