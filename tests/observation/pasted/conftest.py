from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.observation.pasted import read_pasted

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.fixture
def read() -> Read:
    """From a paste to the values of each axis, in order of appearance."""

    def values(text: str) -> dict[str, tuple[str, ...]]:
        reading = read_pasted(text)
        return {each.axis: reading.values(each.axis) for each in reading.observations}

    return values
