"""The registry and the report."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from compatsolver.authoring.lint import LINTS, lint
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.schema import SourceRow, Tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_example_has_no_problem(matrices: Path) -> None:
    assert lint(load_tables(matrices)) == []


def test_every_lint_says_what_must_hold_and_why() -> None:
    assert [name for name, check in LINTS.items() if not check.__doc__] == []


def test_a_problem_reads_as_one_line(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("drivers.yaml", "branch: R575", "branch: R576")
    assert [str(problem) for problem in lint(load_tables(matrices))] == [
        "drivers.yaml:6: R576 begins with 575; a branch is named after its first number [branches-tile]"
    ]


def test_problems_of_all_files_come_at_once_and_in_order(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("torch/2.9.yaml", "whl/cu130", "whl/cu126")
    edit("torch/2.9.yaml", "whl/cu128", "whl/cu126")
    edit("aliases.yaml", "component: cuda", "component: toolkit")
    assert [problem.place for problem in lint(load_tables(matrices))] == [
        "aliases.yaml:5",
        "torch/2.9.yaml:11",
        "torch/2.9.yaml:26",
    ]


def test_an_unreadable_version_holds_back_the_lints_that_compare_versions(
    matrices: Path, edit: Callable[[str, str, str], None]
) -> None:
    edit("cuda.yaml", '"12.8.1"', '"12..8"')
    edit("drivers.yaml", "sources: [guide]", "sources: [gide]")
    assert {problem.lint for problem in lint(load_tables(matrices))} == {"versions-readable", "source-declared"}


def test_a_row_made_in_code_has_a_place_too() -> None:
    row = SourceRow(title="Unused", url=None, retrieved=date(2026, 11, 30))
    (problem,) = lint(Tables(horizon=date(2026, 11, 30), sources={"unused": row}))
    assert (problem.lint, problem.place) == ("source-used", "(in the catalogue)")
