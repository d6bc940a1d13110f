"""Notes beside a plan."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

import compatsolver
from compatsolver.explanation.notes import age

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


@pytest.mark.parametrize(("days", "is_told"), [(-1, False), (0, False), (90, False), (91, True), (400, True)])
def test_a_catalogue_is_old_after_ninety_days(days: int, is_told: bool, catalog: Catalog) -> None:
    today = date.fromisoformat(catalog.horizon) + timedelta(days=days)
    notes = list(age(catalog, today.isoformat()))
    assert [f"the catalogue is {days} days old" in note for note in notes] == ([True] if is_told else [])


@pytest.mark.parametrize(("version", "words"), [("4.46.0", "withdrawn"), ("4.46.99", "none of the")])
def test_a_withdrawn_release_is_not_said_to_be_none(version: str, words: str) -> None:
    plan = compatsolver.plan([f"transformers=={version}"], gpu="none", python="3.11", platform="linux-x86_64")
    assert plan.verdict == "conflict"
    assert words in plan.conflicts[0].because[0].statement
