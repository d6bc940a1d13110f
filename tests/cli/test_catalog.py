from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from compatsolver.catalog.load import BUNDLED
from compatsolver.catalog.sections import seal
from compatsolver.cli import main

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


@pytest.mark.parametrize("action", ["lint", "compile", "refresh"])
def test_tables_that_are_not_there_are_asked_for(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["catalog", action, "--matrices", str(tmp_path / "none")]) == 2
    assert "--matrices" in capsys.readouterr().err


def test_an_action_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog"]) == 2
    assert "ACTION" in capsys.readouterr().err


def test_diff_tells_facts_as_text_and_as_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).parents[1] / "authoring" / "example"
    changed = Path(shutil.copytree(example, tmp_path / "changed"))
    path = changed / "torch" / "2.9.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("[sm_89, sm_70]", "[sm_89]"), encoding="utf-8")
    assert main(["catalog", "diff", str(example), str(changed)]) == 0
    assert capsys.readouterr().out == "torch 2.9.1 cu128 linux-x86_64: sm_70 removed\n"
    assert main(["catalog", "diff", str(example), str(changed), "--format", "json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)["changes"]
    assert change == {"subject": "torch 2.9.1 cu128", "what": "sm_70 removed", "where": ["linux-x86_64"]}


def test_diff_of_a_catalogue_with_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "catalog.jsonl"
    copy.write_bytes(Path(BUNDLED).read_bytes())
    assert main(["catalog", "diff", str(copy)]) == 0
    assert "say the same" in capsys.readouterr().out


def test_diff_refuses_a_catalogue_without_tables(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "diff", str(compiled)]) == 4
    assert "carries no tables" in capsys.readouterr().err


def test_schema_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$defs"]["BuildRow"]["required"]
