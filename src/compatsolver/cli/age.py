"""How old a catalogue is on a day the caller names."""

from __future__ import annotations

from datetime import date

OLD_AFTER_DAYS = 90


def days_old(version: str, today: date) -> int | None:
    """Days since the date a catalogue is named after (`2026.11.30`); None where it is named otherwise."""
    try:
        year, month, day = (int(field) for field in version.split("."))
        return (today - date(year, month, day)).days
    except ValueError:
        return None


def age_warning(version: str, today: date) -> str | None:
    """What to tell the user of a catalogue past its best, or None."""
    days = days_old(version, today)
    if days is None or days <= OLD_AFTER_DAYS:
        return None
    return f"warning: the catalogue {version} is {days} days old; newer releases are unknown to it\n"
