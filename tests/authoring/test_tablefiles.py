"""What files accept and refuse beyond their rows."""

from __future__ import annotations

from datetime import date

import pytest

from compatsolver.authoring.rows import RowError
from compatsolver.authoring.tablefiles import TorchFile


def test_a_torch_file_holds_one_line() -> None:
    release = dict[str, object](version="2.9.1", released=None, complete=True, sources=[], builds=[])
    file = {"schema": "compatsolver.data/1", "table": "torch", "horizon": date(2026, 11, 30), "releases": [release]}
    assert TorchFile.read(file | {"line": "2.9"}).releases[0].version == "2.9.1"
    with pytest.raises(RowError, match=r"2\.9\.1 is not of the line 2\.8"):
        TorchFile.read(file | {"line": "2.8"})
