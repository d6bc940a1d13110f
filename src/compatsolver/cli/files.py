"""Files that commands write."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from compatsolver.errors import ProbeError

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes, flag: str) -> None:
    """Write beside `path`, then rename: a reader sees the old file or the new one, never half of one.

    Raises ProbeError where that cannot be; its hint names the flag that chooses another place.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise ProbeError(
            f"{path} cannot be written: {error.strerror}", hint=f"choose a place you may write to with {flag} FILE"
        ) from error
