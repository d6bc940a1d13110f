"""`matrix --lock`: cells stay until they are asked to move."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.cli import main

if TYPE_CHECKING:
    from pathlib import Path

ASKED = ["matrix", "torch>=2.8,<2.10", "--python", "3.12", "--platform", "linux-x86_64", "--gpu", "T4"]


def command(*more: str) -> int:
    return main([*ASKED, *more])


@pytest.fixture
def kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A matrix of yesterday: its one cell has an older pin."""
    path = tmp_path / "matrix.json"
    assert command("--lock", str(path)) == 0
    document = json.loads(path.read_text())
    document["cells"][0]["pins"][0]["build"] = "cu126"
    path.write_text(json.dumps(document))
    capsys.readouterr()
    return path


def pinned(path: Path) -> Any:
    return json.loads(path.read_text())["cells"][0]["pins"][0]["build"]


def test_the_cells_of_the_file_are_printed_and_what_would_differ_is_said(kept: Path, capsys: Any) -> None:
    before = kept.read_bytes()
    assert command("--lock", str(kept), "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cells"][0]["pins"][0]["build"] == "cu126"
    assert "1 of the cells would differ today" in document["notes"][-1]
    assert kept.read_bytes() == before


def test_diff_names_the_cell_and_what_moves_and_writes_nothing(kept: Path, capsys: Any) -> None:
    before = kept.read_bytes()
    assert command("--lock", str(kept), "--diff") == 0
    assert "changed" in (said := capsys.readouterr().out)
    assert "torch 2.9.1+cu126 → 2.9.1+" in said
    assert kept.read_bytes() == before


def test_update_takes_the_cells_of_today(kept: Path, capsys: Any) -> None:
    assert command("--lock", str(kept), "--update") == 0
    assert pinned(kept) != "cu126"
    capsys.readouterr()
    assert command("--lock", str(kept), "--diff") == 0
    assert capsys.readouterr().out == "nothing changes\n"


def test_cells_that_come_and_go_are_told_apart(kept: Path, capsys: Any) -> None:
    document = json.loads(kept.read_text())
    document["cells"][0]["axes"]["torch"] = "2.8.0"
    kept.write_text(json.dumps(document))
    assert command("--lock", str(kept), "--diff") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["gone", "new"]


def test_a_file_that_was_made_for_something_else_is_refused(kept: Path, capsys: Any) -> None:
    before = kept.read_bytes()
    assert command("--lock", str(kept), "--driver", "580.65.06") == 2
    assert "driver differs" in capsys.readouterr().err
    assert kept.read_bytes() == before


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": "compatsolver.matrix/1"}', '{"schema": "other"}'])
def test_a_file_that_is_no_matrix_is_refused_and_left_alone(kept: Path, capsys: Any, text: str) -> None:
    kept.write_text(text)
    assert command("--lock", str(kept)) == 2
    assert "no matrix of compatsolver" in capsys.readouterr().err
    assert kept.read_text() == text


def test_there_is_no_difference_from_nothing(tmp_path: Path, capsys: Any) -> None:
    assert command("--lock", str(tmp_path / "none.json"), "--diff") == 2
    assert "is not there" in capsys.readouterr().err


def test_a_matrix_in_which_nothing_holds_is_a_conflict(capsys: Any) -> None:
    asked = ["matrix", "torch>=2.9", "--gpu", "GTX 680", "--python", "3.12", "--platform", "linux-x86_64"]
    assert main([*asked, "--explain-excluded"]) == 1
    assert "0 of" in capsys.readouterr().out
