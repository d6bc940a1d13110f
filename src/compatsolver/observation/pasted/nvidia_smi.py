"""nvidia-smi in a paste."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.observation.formats.nvidia_smi import read_nvidia_smi
from compatsolver.observation.pasted.phrases import Found, found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines


def read(lines: Lines) -> Iterator[Found]:
    """Every value of nvidia-smi's grammar, in normal notation."""
    for axis, text, index in read_nvidia_smi(lines.texts):
        yield from found(axis, text, index)
