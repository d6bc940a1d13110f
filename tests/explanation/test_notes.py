"""Notes beside a plan."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from compatsolver.explanation.notes import age

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


@pytest.mark.parametrize(("days", "is_told"), [(-1, False), (0, False), (90, False), (91, True), (400, True)])
def test_a_catalogue_is_old_after_ninety_days(days: int, is_told: bool, catalog: Catalog) -> None:
    today = date.fromisoformat(catalog.horizon) + timedelta(days=days)
    notes = list(age(catalog, today.isoformat()))
    assert [f"the catalogue is {days} days old" in note for note in notes] == ([True] if is_told else [])
