"""Lints on releases in a row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.authoring.lint import series
from compatsolver.authoring.load import load_tables

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.authoring.schema import Tables


@pytest.fixture
def alike(matrices: Path) -> Tables:
    """The example with three releases of bitsandbytes and of torch that say the same."""
    tables = load_tables(matrices)
    library, torch = tables.libraries["bitsandbytes"][0], tables.torch[0]
    releases = [replace(library, version=version) for version in ("0.48.2", "0.48.1", "0.48.0")]
    lines = [replace(torch, version=version) for version in ("2.9.3", "2.9.2", "2.9.1")]
    return replace(tables, libraries=tables.libraries | {"bitsandbytes": releases}, torch=lines)


def test_releases_that_say_the_same_have_no_problem(alike: Tables) -> None:
    assert [finding for check in series.LINTS for finding in check(alike)] == []


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("requires_python", ">=3.10", "has python '>=3.10', unlike 0.48.0 and 0.48.2: '>=3.9'"),
        ("requires", {}, "has torch none, unlike 0.48.0 and 0.48.2: '>=2.3,<3'"),
        ("extras", {"vision": {"torchvision": ">=0.24"}}, "has torchvision[vision] '>=0.24'"),
        ("wheels", [], "has wheels linux-x86_64 none"),
        ("works_with", [], "has works_with torchvision (pkg_api) none"),
        ("binaries", None, "has binaries linux-x86_64 none"),
    ],
)
def test_a_release_unlike_its_neighbours(alike: Tables, column: str, value: Any, says: str) -> None:
    findings = list(series.releases_alike(_changed(alike, **{column: value})))
    assert [finding for finding in findings if says in finding.message]


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("published", "no", "has published False, unlike 2.9.1 and 2.9.3: True"),
        ("default_index", True, "has default_index True, unlike 2.9.1 and 2.9.3: False"),
        ("pythons", ["3.12"], "has pythons ['3.12'], unlike 2.9.1 and 2.9.3"),
        ("glibc", "2.34", "has glibc '2.34', unlike 2.9.1 and 2.9.3"),
    ],
)
def test_a_build_unlike_its_neighbours(alike: Tables, column: str, value: Any, says: str) -> None:
    release = alike.torch[1]
    position = next(number for number, build in enumerate(release.builds) if not build.default_index)
    builds = [*release.builds]
    builds[position] = replace(builds[position], **{column: value})
    tables = replace(alike, torch=[alike.torch[0], replace(release, builds=builds), alike.torch[2]])
    assert [finding.message for finding in series.builds_alike(tables) if says in finding.message]


@pytest.mark.parametrize("text", [">=2.2,<3", ">=2.3,<2.9"])
def test_a_requirement_that_begins_or_ends_lower_than_before(alike: Tables, text: str) -> None:
    (finding,) = series.requirements_rise(_changed(alike, requires={"torch": text}))
    assert finding.message == f"bitsandbytes 0.48.1 requires torch {text}, 0.48.0 >=2.3,<3"


def test_a_note_that_names_the_release_before_is_an_exception(alike: Tables) -> None:
    tables = _changed(alike, requires={"torch": ">=2.2,<3"}, notes=["METADATA asks for less than in 0.48.0."])
    assert [finding for check in series.LINTS for finding in check(tables)] == []


def test_releases_that_nobody_gets_unasked_are_left_aside(alike: Tables) -> None:
    assert list(series.releases_alike(_changed(alike, requires={}, yanked=True))) == []
    assert list(series.releases_alike(_changed(alike, requires={}, version="0.48.1rc1"))) == []


def _changed(tables: Tables, **columns: Any) -> Tables:
    """The second release of bitsandbytes with other columns."""
    newer, release, older = tables.libraries["bitsandbytes"]
    return replace(tables, libraries=tables.libraries | {"bitsandbytes": [newer, replace(release, **columns), older]})
