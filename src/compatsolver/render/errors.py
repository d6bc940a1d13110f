"""Errors as text for people and as a document for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.render.document import document
from compatsolver.render.lines import printable, wrapped

if TYPE_CHECKING:
    from compatsolver.errors import CompatError

SCHEMA = "compatsolver.error/1"


def error_text(error: CompatError) -> str:
    """What cannot be, the facts, the hint. Lines of context stay whole, so that `file:line` can be clicked."""
    lines = wrapped(error.message, first="error: ", rest="       ")
    lines += [f"  {printable(line)}" for line in error.context]
    if error.hint:
        lines += wrapped(error.hint, first="hint: ", rest="      ")
    return "\n".join(lines) + "\n"


def error_json(error: CompatError) -> str:
    """The same as one JSON document."""
    return document(
        {
            "schema": SCHEMA,
            "code": error.code,
            "message": error.message,
            "context": list(error.context),
            "hint": error.hint,
        }
    )
