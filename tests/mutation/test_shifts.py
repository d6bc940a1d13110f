"""The survey of wrong facts: shifts change one fact each, and what notices them is told apart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.authoring.difference import differences
from compatsolver.authoring.pack import read_tables
from compatsolver.catalog.load import MATRICES

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="module")
def survey() -> Iterator[Any]:
    """The script, imported as it is run: its folder is on the path."""
    sys.path.insert(0, HERE)
    import survey

    yield survey
    sys.path.remove(HERE)


@pytest.fixture(scope="module")
def noticing(survey: Any) -> Any:
    return sys.modules["noticing"]


@pytest.fixture(scope="module")
def tables(noticing: Any) -> dict[str, Any]:
    written: dict[str, Any] = noticing.written_tables(Path(MATRICES))
    return written


@pytest.fixture(scope="module")
def sections(noticing: Any, tables: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = noticing.sections_of(read_tables(tables))
    return found


def test_a_shift_changes_one_fact(survey: Any, tables: dict[str, Any]) -> None:
    seen = set()
    bare = {name: rows for name, rows in tables.items() if name != "measured"}
    for site in survey.sites(bare):
        if (pair := (str(site.place[0]), site.column)) not in seen:
            seen.add(pair)
            assert site.value != _at(tables, site.place)
            assert len(differences(bare, survey.shifted(bare, site), provenance=True)) <= 2, site
    columns = {column for _, column in seen}
    assert {"sass", "pythons", "driver", "requires", "last_branch", "compute_capability"} <= columns
    assert {pair for pair in survey.HURTS if pair[0] == "torch"} <= seen


def _at(value: Any, place: tuple[str | int, ...]) -> Any:
    for part in place:
        value = value[part]
    return value


def test_a_lint_notices_a_branch_that_no_longer_fits(
    survey: Any, noticing: Any, tables: dict[str, Any], sections: dict[str, str]
) -> None:
    site = next(site for site in survey.sites(tables) if site.column == "max_cuda" and site.value == "12.10")
    assert noticing.notices(survey.shifted(tables, site), "branches", sections, []).who == "lint"


def test_a_case_is_asked_where_it_reads_what_was_changed(
    survey: Any, noticing: Any, tables: dict[str, Any], sections: dict[str, str]
) -> None:
    rows = tables["capabilities"]
    (place,) = [n for n, row in enumerate(rows) if row["compute_capability"] == "7.0"]
    site = survey.Site("last_branch", ("capabilities", place, "last_branch"), "R575")
    mutant = survey.shifted(tables, site)
    case = noticing.Case("V100", lambda catalog: catalog.payload["diagnosis"] is None)
    assert noticing.notices(mutant, "capabilities", sections, []).who == "nothing"
    reads = noticing.Traced(case, frozenset({"clauses/"}), 0.1)
    assert noticing.notices(mutant, "capabilities", sections, [reads]) == ("case", "V100")
    reads = noticing.Traced(case, frozenset({"aliases"}), 0.1)
    assert noticing.notices(mutant, "capabilities", sections, [reads]).who == "nothing"


def test_what_no_rule_is_made_of_is_told_apart(
    survey: Any, noticing: Any, tables: dict[str, Any], sections: dict[str, str]
) -> None:
    site = next(site for site in survey.sites({"torch": tables["torch"]}) if site.column == "cxx11_abi")
    assert noticing.notices(survey.shifted(tables, site), "torch", sections, []).who == "silent"
