"""Rows as YAML, the way people write them in the tables: texts in quotes, what is inside a row on one line."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN = re.compile(r"[A-Za-z][\w./+-]*", re.ASCII)
_READ_OTHERWISE = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


def row_text(row: Mapping[str, Any], indent: str = "") -> str:
    """One row of a list; a column with a list of mappings has a line for each of them."""
    lines = []
    for key, value in row.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [f"{key}:", *(f"- {flow_text(entry)}" for entry in value)]
        else:
            lines.append(f"{key}: {flow_text(value)}")
    return "".join(f"{indent}{'  ' if number else '- '}{line}\n" for number, line in enumerate(lines))


def flow_text(value: Any) -> str:
    """A value on one line; a text is plain only where nothing can take it for something else."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow_text(key)}: {flow_text(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _READ_OTHERWISE:
        return value
    return json.dumps(value, ensure_ascii=False)
