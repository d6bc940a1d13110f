"""Files of people: read whole up to a size at which they are something else, and written whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from compatsolver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def replace(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all; raises OSError, and then the file that was there is still there."""
    with replacing(path, data):
        pass


@contextmanager
def replacing(path: Path, data: bytes) -> Iterator[None]:
    """Write a file beside a path, and rename it where the block ends well; what was there stays until then.

    A link is followed. A pipe or a device is no file whose place another could take: it is written to. Raises OSError.
    """
    place = Path(os.path.realpath(path))
    if place.is_dir() or place.is_symlink():
        code = errno.EISDIR if place.is_dir() else errno.ELOOP
        raise OSError(code, os.strerror(code), str(path))
    if place.exists() and not place.is_file():
        yield
        place.write_bytes(data)
        return
    beside = place.with_name(f".{place.name}.{token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(data)
        yield
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
