"""Settings for every test, and the catalogue that is shipped.

hypothesis draws the same examples each time and has no clock to fail by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from compatsolver.catalog.load import bundled

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

settings.register_profile("compatsolver", deadline=None, derandomize=True)
settings.load_profile("compatsolver")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The compiled catalogue; where it is older than its tables the error names the command that mends it."""
    return bundled()
