"""The survey of wrong facts: shifts change one fact each, and what notices them is told apart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.authoring.difference import differences
from compatsolver.catalog.tables import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog

HERE = str(Path(__file__).parent)


@pytest.fixture
def survey() -> Iterator[Any]:
    """The script, imported as it is run: its folder is on the path."""
    sys.path.insert(0, HERE)
    import survey

    yield survey
    sys.path.remove(HERE)


@pytest.fixture(scope="module")
def tables(catalog: Catalog) -> dict[str, Any]:
    return tables_of(catalog)


def test_a_shift_changes_one_fact(survey: Any, tables: dict[str, Any]) -> None:
    seen = set()
    for site in survey.sites(tables):
        if site.column not in seen:
            seen.add(site.column)
            assert 1 <= len(differences(tables, survey.shifted(tables, site), provenance=True)) <= 2, site
    assert {"sass", "pythons", "driver", "requires", "last_branch", "compute_capability"} <= seen


def test_a_lint_notices_a_branch_that_no_longer_fits(survey: Any, tables: dict[str, Any]) -> None:
    site = next(site for site in survey.sites(tables) if site.column == "max_cuda" and site.value == "12.10")
    assert survey.notices(survey.shifted(tables, site), []) == "lint"


def test_a_scenario_notices_a_missing_architecture(survey: Any, tables: dict[str, Any]) -> None:
    (place,) = [n for n, row in enumerate(tables["torch"]) if row["version"] == "2.10.0"]
    builds = tables["torch"][place]["builds"]
    (build,) = [n for n, row in enumerate(builds) if (row["build"], row["platform"]) == ("cu128", "linux-x86_64")]
    site = survey.Site("sass", ("torch", place, "builds", build, "archs", "sass"), ["sm_90"])
    case = {
        "request": {"gpu": "V100", "requires": ["torch==2.10.0"], "cuda": "12.8"},
        "expect": {"verdict": "resolved"},
    }
    assert survey.notices(tables, [case]) == "nothing"
    assert survey.notices(survey.shifted(tables, site), [case]) == "scenario"
