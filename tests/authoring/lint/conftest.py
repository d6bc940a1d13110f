"""Each lint is shown one edit of the example's tables that it must notice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import lint
from compatsolver.authoring.load import load_tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def assert_found(matrices: Path, edit: Callable[[str, str, str], None]) -> Callable[[str, str, str, str, str], None]:
    """Edit one file of the example and expect one lint to say so."""

    def assert_found(name: str, file: str, old: str, new: str, says: str) -> None:
        edit(file, old, new)
        found = [problem for problem in lint(load_tables(matrices)) if problem.lint == name]
        assert found
        assert re.search(r"\.yaml:\d+$", found[0].place)
        assert says in found[0].message
        assert found[0].tip

    return assert_found
