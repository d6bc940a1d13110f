"""Whatever is diagnosed, its document follows the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema

from compatsolver.render.document import document
from incidents import INCIDENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.diagnosis import Diagnosis

SCHEMA = Path(__file__).parents[2] / "docs/schema/diagnosis.schema.json"


def test_diagnoses_follow_the_schema(explained: Callable[..., Diagnosis]) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for incident in INCIDENTS:
        written = json.loads(document(explained(incident.text, **incident.environment).to_dict()))
        assert list(validator.iter_errors(written)) == [], incident.text
