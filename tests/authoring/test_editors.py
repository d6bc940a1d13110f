"""The JSON Schema for editors: current, and of the same mind as the loader."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from compatsolver.authoring.editors import tables_schema

ROOT = Path(__file__).parents[2]
STORED = ROOT / "docs/schema/tables.schema.json"
EXAMPLE = sorted((ROOT / "tests/authoring/example").rglob("*.yaml"))


def test_the_stored_schema_is_current() -> None:
    """`compatsolver catalog schema > docs/schema/tables.schema.json` brings it up to date."""
    assert json.loads(STORED.read_text(encoding="utf-8")) == tables_schema()


@pytest.mark.parametrize("path", EXAMPLE, ids=[path.stem for path in EXAMPLE])
def test_it_takes_what_the_loader_takes(path: Path) -> None:
    assert list(Draft202012Validator(tables_schema()).iter_errors(_read(path))) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tabel": 1}, "'tabel' was unexpected"),
        ({"horizon": 3}, "3 is not"),
        ({"table": "moons"}, "'moons' is not one of"),
    ],
)
def test_it_refuses_what_the_loader_refuses(change: dict[str, Any], says: str) -> None:
    written = _read(ROOT / "tests/authoring/example/cuda.yaml") | change
    assert any(says in error.message for error in Draft202012Validator(tables_schema()).iter_errors(written))


def _read(path: Path) -> Any:
    """As YAML has it, a day as the text it is written as."""
    text = path.read_text(encoding="utf-8")
    return json.loads(
        json.dumps(yaml.safe_load(text), default=lambda day: day.isoformat() if isinstance(day, date) else day)
    )
