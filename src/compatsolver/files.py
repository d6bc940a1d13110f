"""Files that people give: read whole, up to a size at which they are something else."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from compatsolver.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_bytes(path: Path, largest: int, hint: str) -> bytes:
    """The contents of a file of at most `largest` bytes; raises InputError with that hint."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", hint=hint) from None
    if len(data) > largest:
        raise InputError(f"{path}: larger than {largest // 1_000_000} MB", hint=hint)
    return data


def read_text(path: Path, largest: int, hint: str) -> str:
    """The same as text, in UTF-8 or, with its mark, UTF-16; raises InputError for anything else as well."""
    data = read_bytes(path, largest, hint)
    try:
        return data.decode("utf-16" if data.startswith(_MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: neither UTF-8 nor UTF-16 text", hint="save the file as UTF-8") from None
