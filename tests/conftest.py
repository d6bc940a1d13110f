"""Settings for every test: hypothesis draws the same examples each time and has no clock to fail by."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("compatsolver", deadline=None, derandomize=True)
settings.load_profile("compatsolver")
