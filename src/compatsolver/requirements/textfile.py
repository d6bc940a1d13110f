"""Text files as people save them: UTF-8, or UTF-16 with its mark."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from compatsolver.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 5_000_000
"""Bytes; a longer file is no list of requirements."""


def read_text(path: Path) -> str:
    """The contents of a file; raises InputError where it cannot be read, is too large, or is no text."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", hint="check the path") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: larger than {LARGEST // 1_000_000} MB", hint="give a list of requirements")
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: neither UTF-8 nor UTF-16 text", hint="save the file as UTF-8") from None
    if "\0" in text:
        raise InputError(f"{path}: a binary file, not a list of requirements", hint="check the path")
    return text
