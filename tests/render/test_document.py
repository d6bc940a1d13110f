from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from compatsolver.render.document import plan_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compatsolver.model.resolution import Resolution

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/resolution.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_json_is_the_golden_one(named_answer: tuple[str, Resolution], golden: Callable[[str, str], str]) -> None:
    name, plan = named_answer
    written = plan_json(plan)
    assert written == golden(f"{name}.json", written)


def test_json_follows_its_schema(named_answer: tuple[str, Resolution]) -> None:
    _, plan = named_answer
    assert list(VALIDATOR.iter_errors(json.loads(plan_json(plan)))) == []


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "changes",
    [
        {"pins": ()},
        {"commands": {}},
        {"verdict": "conflict"},
        {"verdict": "undetermined"},
        {"verdict": "perhaps"},
        {"catalog": {"version": "2026.11.30", "digest": "short"}},
    ],
)
def test_the_schema_refuses_a_plan_that_contradicts_itself(
    answers: Mapping[str, Resolution], changes: dict[str, Any]
) -> None:
    plan = answers["resolved"]._replace(**changes)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(json.loads(plan_json(plan)))


def test_json_keeps_letters_and_ends_with_a_newline(answers: Mapping[str, Resolution]) -> None:
    text = plan_json(answers["cpu"]._replace(notes=("glibc ≥ 2.28",)))
    assert "glibc ≥ 2.28" in text
    assert text.endswith("}\n")
