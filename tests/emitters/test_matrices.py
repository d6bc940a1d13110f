"""The forms of a matrix, each read by what reads it."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest
import yaml

import compatsolver
from compatsolver.emitters.matrices import github, gitlab, nox, table
from compatsolver.model.cell import Cell, Matrix
from compatsolver.model.resolution import Pin, Runtime

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return compatsolver.matrix(
        ["torch>=2.8,<2.10"],
        gpu=["T4+H100", "none"],
        driver=["580.65.06"],
        python=["3.11", "3.12"],
        platform=["linux-x86_64", "windows-x86_64"],
        cover="pairwise",
    )


def of_cells(count: int, word: str = "x") -> Matrix:
    """A matrix of so many cells that are alike but for their number."""
    pin = Pin("torch", "2.9.1", "cu126")
    cells = [
        Cell({"platform": "linux-x86_64", "python": str(number)}, (pin,), Runtime(), {"pip": (word,)}, (), None)
        for number in range(count)
    ]
    catalog = {"version": "2026.11.30", "digest": "0" * 64}
    return Matrix(tuple(cells), {}, {}, {}, count, count, catalog)


def test_github_gets_one_object_a_cell_with_texts_alone(matrix: Matrix) -> None:
    included = json.loads(github.render(matrix))["include"]
    assert [row["id"] for row in included] == [cell.id for cell in matrix]
    assert len({row["id"] for row in included}) == len(matrix)
    assert all(isinstance(value, str) for row in included for value in row.values())
    for row, cell in zip(included, matrix, strict=True):
        assert row["install-pip"] == cell.commands["pip"][0]
        assert row["image"] == (f"python:{row['python']}-slim" if row["platform"] == "linux-x86_64" else "")


def test_github_is_spared_what_it_would_refuse() -> None:
    assert len(json.loads(github.render(of_cells(github.MOST_JOBS)))["include"]) == github.MOST_JOBS
    with pytest.raises(compatsolver.InputError, match="at most 256 jobs"):
        github.render(of_cells(github.MOST_JOBS + 1))
    with pytest.raises(compatsolver.InputError, match="1 MB"):
        github.render(of_cells(200, word="pip install x" * 300))


def test_gitlab_gets_variables_in_capitals(matrix: Matrix) -> None:
    rows = yaml.safe_load(gitlab.render(matrix))[gitlab.JOB]["parallel"]["matrix"]
    assert [row["ID"] for row in rows] == [cell.id for cell in matrix]
    assert all(
        isinstance(value, str) and key == key.upper() and "-" not in key for row in rows for key, value in row.items()
    )


def test_gitlab_is_spared_what_it_would_refuse() -> None:
    with pytest.raises(compatsolver.InputError, match="at most 200 jobs"):
        gitlab.render(of_cells(gitlab.MOST_JOBS + 1))


def test_nox_lists_a_session_for_each_cell(matrix: Matrix, tmp_path: Path) -> None:
    noxfile = tmp_path / "noxfile.py"
    noxfile.write_text(nox.render(matrix))
    listed = subprocess.run(
        [sys.executable, "-m", "nox", "-f", str(noxfile), "--list-sessions", "--json"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    sessions = json.loads(listed.stdout)
    assert sorted((entry["python"], *entry["call_spec"]["packages"]) for entry in sessions) == sorted(
        (cell.axes["python"], *shlex.split(cell.commands["pip"][0])[2:]) for cell in matrix
    )


def test_csv_has_a_line_for_each_cell_and_empty_fields_for_what_one_lacks(matrix: Matrix) -> None:
    rows = list(csv.DictReader(StringIO(table.render_csv(matrix))))
    assert [row["id"] for row in rows] == [cell.id for cell in matrix]
    assert {row["index"] for row in rows if row["gpu"] == "none"} >= {"https://download.pytorch.org/whl/cpu"}
    assert None not in {value for row in rows for value in row.values()}


def test_the_table_escapes_what_would_end_a_column() -> None:
    lines = table.markdown_table(of_cells(1))
    assert lines[1] == "| --- | --- | --- | --- |"
    odd = of_cells(1).cells[0]._replace(axes={"platform": "a|b", "python": "3.12"})
    assert "a\\|b" in table.markdown_table(Matrix((odd,), {}, {}, {}, 1, 1, {}))[2]
