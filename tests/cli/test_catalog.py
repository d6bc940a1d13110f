from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from compatsolver.catalog.sections import seal
from compatsolver.cli import main

if TYPE_CHECKING:
    from pathlib import Path

EMPTY = {
    "schema": "compatsolver.catalogue/2",
    "version": "2020.1.31",
    "horizon": "2020-01-31",
    "components": [],
    "rules": [],
}


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """A sound catalogue without facts."""
    path = tmp_path / "catalog.jsonl"
    path.write_bytes(seal(EMPTY))
    return path


def test_info_tells_version_horizon_and_age(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "info", "--catalog", str(compiled)]) == 0
    text = capsys.readouterr().out
    assert "version    2020.1.31\n" in text
    assert "horizon    2020-01-31\n" in text
    assert re.search(r"age        \d{4} days\n", text)


def test_info_refuses_a_damaged_file(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled.write_bytes(compiled.read_bytes().replace(b"2020-01-31", b"2029-01-31"))
    assert main(["catalog", "info", "--catalog", str(compiled)]) == 4
    assert "hash" in capsys.readouterr().err


def test_info_names_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = tmp_path / "absent.json"
    assert main(["catalog", "info", "--catalog", str(absent)]) == 2
    assert "absent.json: the catalogue cannot be read" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("action", ["lint", "compile"])
def test_tables_that_are_not_there_are_asked_for(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["catalog", action, "--matrices", str(tmp_path / "none")]) == 2
    assert "--matrices" in capsys.readouterr().err


def test_an_action_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog"]) == 2
    assert "ACTION" in capsys.readouterr().err
