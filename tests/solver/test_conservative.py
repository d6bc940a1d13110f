"""Policy `conservative`: established lines first, in their last patch."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from compatsolver.catalog.catalogue import Catalog
from compatsolver.model.component import NONE, Candidate, Component, Family
from compatsolver.model.version import package_version
from compatsolver.solver.conservative import ESTABLISHED_AFTER_DAYS, conservative_releases, is_established

if TYPE_CHECKING:
    from collections.abc import Mapping

HORIZON = date(2026, 11, 30)
LINUX: Any = {"platform": "linux-x86_64", "glibc": "2.35", "python": "3.12"}


def catalogue(days_old: Mapping[str, int | None]) -> Catalog:
    """A catalogue of one package `library`: release → its age in days, newest release first."""
    rows: list[Any] = [
        [None if days is None else (HORIZON - timedelta(days)).isoformat(), False, {}, "metadata", [], []]
        for days in days_old.values()
    ]
    candidates = (*map(Candidate, days_old), Candidate(NONE))
    library = Component("library", "Library", "package", Family.PEP440, candidates)
    payload = {"releases": {"library": rows}}
    return Catalog("2026.11.30", "", HORIZON.isoformat(), {"library": library}, {}, payload)


def order(days_old: Mapping[str, int | None]) -> list[str]:
    return list(conservative_releases(catalogue(days_old), "library"))


def test_established_lines_newest_first_then_younger_ones_oldest_first() -> None:
    ages = {"1.5.0": 10, "1.4.0": 100, "1.3.0": 200, "1.2.0": 400}
    assert order(ages) == ["1.3.0", "1.2.0", "1.4.0", "1.5.0"]


def test_a_line_is_as_old_as_its_first_release_and_taken_in_its_last_patch() -> None:
    assert order({"1.4.0": 20, "1.3.2": 5, "1.3.0": 200}) == ["1.3.2", "1.3.0", "1.4.0"]


@pytest.mark.parametrize(("days", "is_old"), [(ESTABLISHED_AFTER_DAYS - 1, False), (ESTABLISHED_AFTER_DAYS, True)])
def test_the_day_on_which_a_line_is_established(days: int, is_old: bool) -> None:
    assert is_established(catalogue({"1.0": days}), "library", "1.0") is is_old


def test_lines_without_a_date_come_last_newest_first() -> None:
    assert order({"1.4.0": None, "1.3.0": None, "1.2.0": 10, "1.1.0": 300}) == ["1.1.0", "1.2.0", "1.4.0", "1.3.0"]


def test_torch_and_libraries_are_of_established_lines(catalog: Catalog) -> None:
    plan = compatsolver.plan(profile="qlora", gpu="RTX 4090", driver="535.98", policy="conservative", **LINUX)
    assert plan.verdict == "resolved"
    assert all(is_established(catalog, pin.name, pin.version) for pin in plan.pins)
    newest = compatsolver.plan(profile="qlora", gpu="RTX 4090", driver="535.98", **LINUX)
    assert package_version(plan.torch.version) < package_version(newest.torch.version)


def test_leaving_the_established_lines_is_said(catalog: Catalog) -> None:
    newest = catalog.components["torch"].candidates[0].version
    assert not is_established(catalog, "torch", "2.14.1"), newest
    plan = compatsolver.plan(["torch==2.14.1"], gpu="RTX 4090", driver="580.95.05", policy="conservative", **LINUX)
    assert any("no release line known to be 180 days old fits" in note for note in plan.notes)


def test_every_policy_agrees_on_a_conflict() -> None:
    verdicts = {
        compatsolver.plan(gpu="V100", driver="595.71", policy=policy, **LINUX).verdict
        for policy in ("newest", "conservative")
    }
    assert verdicts == {"conflict"}
