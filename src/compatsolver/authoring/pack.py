"""The tables in one short text, which a catalogue carries so that an overlay can be compiled together with them."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from dataclasses import fields
from datetime import date
from typing import Any, get_type_hints

from compatsolver.authoring.load import places
from compatsolver.authoring.rows import Problem, plain, reader_of
from compatsolver.authoring.schema import Tables
from compatsolver.catalog.tables import DAY
from compatsolver.errors import CatalogError

NOT_PACKED = ("measured", "places")
"""What was measured holds for the catalogue's own rows; an overlay may say that another wheel is installed."""


def pack(tables: Tables) -> str:
    """The rows as JSON, compressed; a day is a mapping, because JSON has none."""
    rows = {
        column.name: plain(getattr(tables, column.name)) for column in fields(tables) if column.name not in NOT_PACKED
    }
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"), default=_day)
    return b64encode(zlib.compress(text.encode(), level=9)).decode("ascii")


def read_tables(written: dict[str, Any]) -> Tables:
    """Tables from the form they are written in; raises CatalogError where they are of another format."""
    shapes = get_type_hints(Tables)
    problems: list[Problem] = []
    if written.keys() <= shapes.keys():
        rows = {name: reader_of(shapes[name])(value, (name,), problems) for name, value in written.items()}
        if not problems:
            return Tables(**rows, places=dict(places(rows, written)))
    raise CatalogError(
        "the tables of this catalogue are of another format than this compatsolver reads",
        hint="use a catalogue and a compatsolver of the same version to lay an overlay on",
    )


def _day(value: Any) -> dict[str, str]:
    if isinstance(value, date):
        return {DAY: value.isoformat()}
    raise TypeError(f"{type(value).__name__} is not what tables hold")
