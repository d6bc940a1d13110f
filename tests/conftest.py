"""Settings for every test, the catalogue that is shipped, and the golden files.

hypothesis draws the same examples each time and has no clock to fail by.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from compatsolver.catalog.load import bundled

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog

GOLDEN = Path(__file__).parent / "golden"
REFRESH = "COMPATSOLVER_GOLDEN"

settings.register_profile("compatsolver", deadline=None, derandomize=True)
settings.load_profile("compatsolver")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The compiled catalogue; where it is older than its tables the error names the command that mends it."""
    return bundled()


@pytest.fixture
def golden() -> Callable[[str, str], str]:
    """The text of a file of `tests/golden`; with `COMPATSOLVER_GOLDEN=refresh` the new text is written to it first."""

    def stored(name: str, text: str) -> str:
        path = GOLDEN / name
        if os.environ.get(REFRESH) == "refresh":
            path.write_text(text, encoding="utf-8", newline="\n")
        return path.read_text(encoding="utf-8")

    return stored
