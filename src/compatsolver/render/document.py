"""The answer as JSON: one document, for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compatsolver.model.resolution import Resolution


def plan_json(plan: Resolution) -> str:
    """The resolution document of `docs/schema/resolution.schema.json`, a newline at its end."""
    return document(plan.to_dict())


def document(fields: dict[str, Any]) -> str:
    """One JSON document as people and version control like to read it."""
    return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
