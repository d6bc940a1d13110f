"""Clients of an index whose answers a test writes down, and tables to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from answers import INDEX, Answers
from compatsolver.authoring.load import load_tables
from compatsolver.index.cache import Cache
from compatsolver.index.client import Client
from compatsolver.index.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.authoring.schema import Tables


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def new_client(answers: Answers, tmp_path: Path) -> Callable[[], Client]:
    """Makes clients as later runs have them: they share nothing but the cache on disk."""
    return lambda: Client(Settings((INDEX,), INDEX), Cache(tmp_path / "cache"), connection=answers)


@pytest.fixture
def client(new_client: Callable[[], Client]) -> Client:
    return new_client()


@pytest.fixture
def tables(matrices: Path) -> Tables:
    return load_tables(matrices)
