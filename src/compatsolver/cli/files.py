"""Files that commands write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import ProbeError
from compatsolver.files import replace

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes, flag: str) -> None:
    """Write a file as a whole or not at all; raises ProbeError, whose hint names the flag for another place."""
    try:
        replace(path, data)
    except OSError as error:
        raise ProbeError(
            f"{path} cannot be written: {error.strerror}", hint=f"choose a place you may write to with {flag} FILE"
        ) from error
