"""A tiny set of tables without a fault, and a way to break it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = Path(__file__).with_name("example")


@pytest.fixture
def matrices(tmp_path: Path) -> Path:
    """A copy of the example's tables."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "matrices"))


@pytest.fixture
def edit(matrices: Path) -> Callable[[str, str, str], None]:
    """Replace the first occurrence of a text in a file of the copy."""

    def edit(file: str, old: str, new: str) -> None:
        path = matrices / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit
