from __future__ import annotations

from datetime import date

import pytest

from compatsolver.cli.age import age_warning, days_old


@pytest.mark.parametrize(
    ("version", "days"),
    [("2026.11.30", 0), ("2026.11.29", 1), ("2026.12.01", -1), ("2026.13.01", None), ("2026.11", None), ("mine", None)],
)
def test_days_since_the_date_in_the_name(version: str, days: int | None) -> None:
    assert days_old(version, date(2026, 11, 30)) == days


@pytest.mark.parametrize(("today", "warned"), [(date(2027, 2, 28), False), (date(2027, 3, 1), True)])
def test_a_catalogue_is_old_after_90_days(today: date, warned: bool) -> None:
    warning = age_warning("2026.11.30", today)
    assert (warning is not None) is warned
    assert warning is None or "91 days old" in warning
