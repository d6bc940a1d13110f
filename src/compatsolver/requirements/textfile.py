"""Requirements, projects and lists as people save them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver import files
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 5_000_000
"""Bytes; a longer file is no list of requirements."""
_ADVICE = "check the path"


def read_text(path: Path) -> str:
    """The contents of a file; raises InputError where it cannot be read, is too large, or is no text."""
    text = files.read_text(path, LARGEST, _ADVICE)
    if "\0" in text:
        raise InputError(f"{path}: a binary file, not a list of requirements", hint=_ADVICE)
    return text
