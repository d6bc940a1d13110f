"""A diagnosis in every format: the words are golden, the document follows its schema, nothing is wider than 80."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from compatsolver.render.annotations import github_annotations
from compatsolver.render.diagnosis_markdown import diagnosis_markdown
from compatsolver.render.diagnosis_text import diagnosis_text
from compatsolver.render.document import document
from diagnoses import BROKEN, DIAGNOSES, OPEN, SOUND

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.diagnosis import Diagnosis

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/diagnosis.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
RENDERINGS: dict[str, Callable[[Diagnosis], str]] = {
    "txt": diagnosis_text,
    "md": diagnosis_markdown,
    "github": github_annotations,
    "json": lambda diagnosis: document(diagnosis.to_dict()),
}


@pytest.mark.parametrize("form", RENDERINGS)
@pytest.mark.parametrize("name", DIAGNOSES)
def test_a_rendering_is_the_golden_one(name: str, form: str, golden: Callable[[str, str], str]) -> None:
    written = RENDERINGS[form](DIAGNOSES[name])
    assert written == golden(f"diagnosis-{name}.{form}", written)


@pytest.mark.parametrize("name", DIAGNOSES)
def test_text_keeps_to_80_columns(name: str) -> None:
    lines = diagnosis_text(DIAGNOSES[name]).splitlines()
    assert [line for line in lines if len(line) > 80 and "http" not in line and "pip install" not in line] == []


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", DIAGNOSES)
def test_a_literal_follows_the_schema(name: str) -> None:
    assert list(VALIDATOR.iter_errors(json.loads(document(DIAGNOSES[name].to_dict())))) == []


@pytest.mark.parametrize(
    ("diagnosis", "changes"),
    [
        (BROKEN, {"verdict": "compatible"}),
        (BROKEN, {"findings": ()}),
        (OPEN, {"missing": ()}),
        (OPEN, {"verdict": "perhaps"}),
        (SOUND, {"missing": OPEN.missing}),
        (SOUND, {"findings": (replace(SOUND.findings[0], because=()),)}),
        (SOUND, {"findings": (replace(SOUND.findings[0], fixes=SOUND.findings[0].fixes * 6),)}),
    ],
)
def test_the_schema_refuses_what_contradicts_itself(diagnosis: Diagnosis, changes: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(json.loads(document(replace(diagnosis, **changes).to_dict())))
