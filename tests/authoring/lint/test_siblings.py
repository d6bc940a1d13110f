"""Lints on builds that are made together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import lint, siblings
from compatsolver.authoring.load import load_tables

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.authoring.schema import BuildRow, Tables


@pytest.fixture
def alike(matrices: Path) -> Tables:
    """The example with a patch release 2.9.2 whose builds are those of 2.9.1, and the first of them for Arm as well."""
    tables = load_tables(matrices)
    release = tables.torch[0]
    arm = replace(release.builds[0], platform="linux-aarch64", default_index=True)
    newer = replace(release, version="2.9.2", builds=[arm, *release.builds])
    return replace(tables, torch=[newer, *tables.torch])


def test_builds_alike_have_no_problem(alike: Tables) -> None:
    assert [finding for check in siblings.LINTS for finding in check(alike)] == []


def test_an_arch_list_that_a_patch_release_lacks(alike: Tables) -> None:
    (finding,) = siblings.patch_releases_alike(_changed(alike, 2, archs=_without_last(alike.torch[0].builds[2])))
    assert finding.message == (
        "torch 2.9.1+cu128 for linux-x86_64 has other targets than 2.9.2+cu128 for linux-x86_64:"
        " sm_89, sm_70, not sm_89"
    )


@pytest.mark.parametrize("column", ["cuda", "cudnn", "nccl"])
def test_a_pin_that_differs_between_the_platforms_of_linux(alike: Tables, column: str) -> None:
    (finding,) = siblings.linux_platforms_alike(_changed(alike, 0, **{column: "1.2.3"}))
    assert f"has other {column} than" in finding.message


def test_a_triton_that_one_build_of_a_release_requires(alike: Tables) -> None:
    (finding,) = siblings.triton_alike(_changed(alike, 2, triton="==3.4.0"))
    assert finding.message.endswith("==3.4.0, not ==3.5.1")


def test_an_abi_that_one_build_of_a_platform_has(alike: Tables) -> None:
    tables = _changed(_changed(alike, 1, cxx11_abi=True), 2, cxx11_abi=False)
    (finding,) = siblings.abi_alike(tables)
    assert "has other C++ ABI than" in finding.message


def test_a_platform_that_the_default_index_forgets(alike: Tables) -> None:
    (finding,) = siblings.default_index_served(_changed(alike, 2, default_index=False))
    assert finding.message == "the default index has no torch 2.9.2 for linux-x86_64"


def test_a_build_that_names_the_other_is_an_exception(alike: Tables) -> None:
    notes = ["3.4.0 was pinned by mistake, unlike in 2.9.2+cu130."]
    assert list(siblings.triton_alike(_changed(alike, 2, triton="==3.4.0", notes=notes))) == []


def test_what_is_unknown_differs_from_nothing(alike: Tables) -> None:
    assert list(siblings.linux_platforms_alike(_changed(alike, 0, nccl=None))) == []


def test_an_overlay_may_say_what_is_different(alike: Tables) -> None:
    changed = _changed(alike, 2, nccl="2.27.7", triton="==3.5.1,!=3.6")
    found = [{problem.lint for problem in lint(changed, overlaid=overlaid)} for overlaid in (False, True)]
    assert "triton-alike" in found[0] - found[1]


def _without_last(build: BuildRow) -> object:
    assert build.archs
    assert build.archs.sass
    return replace(build.archs, sass=build.archs.sass[:-1])


def _changed(tables: Tables, number: int, **columns: object) -> Tables:
    """The tables with columns of one build of the newest release changed."""
    release = tables.torch[0]
    builds = [replace(row, **columns) if n == number else row for n, row in enumerate(release.builds)]  # type: ignore[arg-type]
    return replace(tables, torch=[replace(release, builds=builds), *tables.torch[1:]])
