"""A CI matrix: its axes, the cells that were chosen, and what does not hold together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.resolution import Because, Pin, Runtime

SCHEMA = "compatsolver.matrix/1"
COVERS = ("latest", "ends", "pairwise", "all")


class Cell(NamedTuple):
    """One job: a value for each axis, and the plan that holds there.

    `image` is a container image to run it in, None where the platform has none. `conditions` is what the job's machine
    must have beside what the axes say.
    """

    axes: Mapping[str, str]
    pins: tuple[Pin, ...]
    runtime: Runtime
    commands: Mapping[str, tuple[str, ...]]
    conditions: tuple[str, ...]
    image: str | None

    @property
    def name(self) -> str:
        """What tells it from the others of its matrix, for people: the values of its axes."""
        return name_of(self.axes)

    @property
    def id(self) -> str:
        """The same as one word of letters, digits, dots, dashes and underscores."""
        words = (_spoken(axis, value) for axis, value in self.axes.items())
        return "-".join("".join(c if c.isalnum() or c in "._" else "-" for c in word.lower()) for word in words)

    def to_dict(self) -> dict[str, Any]:
        """The cell as plain dicts, lists and texts."""
        return {
            "id": self.id,
            "name": self.name,
            "axes": dict(self.axes),
            "pins": [pin._asdict() | {"extras": list(pin.extras), "because": list(pin.because)} for pin in self.pins],
            "runtime": self.runtime._asdict(),
            "commands": {tool: list(lines) for tool, lines in self.commands.items()},
            "conditions": list(self.conditions),
            "image": self.image,
        }


class Exclusion(NamedTuple):
    """Values that do not hold together, or are not known to, whatever the other axes say.

    So many `combinations` of the matrix have them. `verdict`, `summary` and `because` are empty where no reasons were
    asked for.
    """

    axes: Mapping[str, str]
    combinations: int
    verdict: str = ""
    summary: str = ""
    because: tuple[Because, ...] = ()


@dataclass(frozen=True)
class Matrix(Sequence[Cell]):
    """The cells in the order of the axes' values, and how they were come by; reads as a sequence of cells.

    `asked` says what it was made for, `axes` holds every value asked about, `ends` the oldest and newest value of an
    ordered axis that holds anywhere. `combinations` is how many there are, `holding` how many of them hold, `left_out`
    names the cells that the greatest number allowed had no room for.
    """

    cells: tuple[Cell, ...]
    asked: Mapping[str, Any]
    axes: Mapping[str, tuple[str, ...]]
    ends: Mapping[str, tuple[str, str]]
    combinations: int
    holding: int
    catalog: Mapping[str, str]
    excluded: tuple[Exclusion, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Cell: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, place: int | slice) -> Cell | tuple[Cell, ...]:
        return self.cells[place]

    def __len__(self) -> int:
        return len(self.cells)

    def to_dict(self) -> dict[str, Any]:
        """The matrix document: plain lists, dicts and texts."""
        return {
            "schema": SCHEMA,
            "catalog": dict(self.catalog),
            "asked": dict(self.asked),
            "axes": {axis: list(values) for axis, values in self.axes.items()},
            "ends": {axis: list(values) for axis, values in self.ends.items()},
            "combinations": self.combinations,
            "holding": self.holding,
            "cells": [cell.to_dict() for cell in self.cells],
            "excluded": [_exclusion(entry) for entry in self.excluded],
            "left_out": list(self.left_out),
            "notes": list(self.notes),
        }


def name_of(axes: Mapping[str, str]) -> str:
    """The values of some axes for people, each with its axis where it would not say it by itself."""
    return ", ".join(_spoken(axis, value) for axis, value in axes.items())


def _spoken(axis: str, value: str) -> str:
    return value if axis in ("platform", "gpu") else f"{axis} {value}"


def _exclusion(entry: Exclusion) -> dict[str, Any]:
    because = [fact._asdict() | {"sources": list(fact.sources)} for fact in entry.because]
    return entry._asdict() | {"axes": dict(entry.axes), "because": because}
