"""The reader of rows: what every annotation takes, and that all problems are told at once."""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from compatsolver.authoring.rows import Problem, Row, RowError, Written, plain, reader_of


class Colour(Enum):
    """An enumeration for `Shape`."""

    RED = "red"


class Point(Row):
    """A row inside another."""

    x: int
    label: str | None = None


class Shape(Row):
    """Every kind of column."""

    name: str
    points: list[Point]
    weights: dict[str, float] = {}
    colour: Colour = Colour.RED
    since: date | None = None
    side: Literal["left", "right"] = "left"
    tags: list[str] | Literal["any"] = "any"
    is_closed: bool = False
    number: Annotated[int, Written(int | str, int)] = 0
    type_: str = "polygon"

    def contradictions(self) -> Any:
        """A closed shape needs three points."""
        if self.is_closed and len(self.points) < 3:
            yield "a closed shape has three points"


SHAPE = {"name": "a", "points": [{"x": 1}]}


def problems(**columns: object) -> list[tuple[str, str]]:
    with pytest.raises(RowError) as caught:
        Shape.read(SHAPE | columns)
    return [(".".join(map(str, place)), message) for place, message, _ in caught.value.problems]


def test_defaults_are_new_for_every_row() -> None:
    first, second = Shape.read(SHAPE), Shape.read(SHAPE)
    assert first == second
    assert first.weights is not second.weights


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"name": 1}, [("name", "should be a text")]),
        ({"points": {}}, [("points", "should be a list")]),
        ({"points": [{"x": "1"}, {"y": 2}, 3]}, None),
        ({"points": [{"x": True}]}, [("points.0.x", "should be a whole number")]),
        ({"weights": []}, [("weights", "should be a mapping of keys to values")]),
        ({"weights": {"a": "heavy"}}, [("weights.a", "should be a number")]),
        ({"weights": {1: 1.0}}, [("weights.1", "should be a text")]),
        ({"colour": "blue"}, [("colour", "should be 'red'")]),
        ({"since": "2026-11-30"}, [("since", "should be a day")]),
        ({"side": True}, [("side", "should be 'left' or 'right'")]),
        ({"tags": "some"}, [("tags", "should be a list")]),
        ({"tags": ["a", 1]}, [("tags.1", "should be a text")]),
        ({"is_closed": "no"}, [("is_closed", "should be true or false")]),
        ({"number": "ten"}, [("number", "invalid literal for int() with base 10: 'ten'")]),
        ({"number": 1.5}, [("number", "should be a whole number")]),
        ({"is_closed": True}, [("", "a closed shape has three points")]),
        ({"size": 3, "name": None}, [("name", "should be a text"), ("size", "not a key of this row")]),
    ],
)
def test_refuses(columns: dict[str, object], found: list[tuple[str, str]] | None) -> None:
    expected = found or [
        ("points.0.x", "should be a whole number"),
        ("points.1.x", "the key is missing"),
        ("points.1.y", "not a key of this row"),
        ("points.2", "should be a mapping of keys to values"),
    ]
    assert sorted(problems(**columns)) == sorted(expected)


def test_takes_every_kind() -> None:
    columns = {
        "weights": {"a": 1, "b": 0.5},
        "colour": "red",
        "since": date(2026, 11, 30),
        "side": "right",
        "tags": ["a"],
        "number": "580",
        "type": "line",
    }
    row = Shape.read(SHAPE | columns)
    assert (row.colour, row.number, row.type_, row.tags) == (Colour.RED, 580, "line", ["a"])


def test_a_row_written_out_reads_back() -> None:
    row = Shape.read(SHAPE | {"tags": ["a"], "since": date(2026, 1, 1), "type": "line", "number": 5})
    assert plain(row) == SHAPE | {"tags": ["a"], "since": date(2026, 1, 1), "type": "line", "number": 5}
    assert Shape.read(plain(row)) == row


def test_a_mapping_is_a_mapping() -> None:
    with pytest.raises(RowError, match="should be a mapping"):
        Shape.read([])


def test_a_reader_reports_below_the_place_it_is_given() -> None:
    found: list[Problem] = []
    reader_of(list[int])([1, "2"], ("numbers",), found)
    assert [problem.place for problem in found] == [("numbers", 1)]
