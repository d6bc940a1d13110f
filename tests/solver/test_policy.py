"""The order in which torch builds are preferred."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.host import Gpu, Host
from compatsolver.model.version import NumericVersion, PythonVersion
from compatsolver.solver.formulate import layout_of
from compatsolver.solver.policy import driver_ceiling, is_native, newest, newest_torch, torch_order, wants_cpu

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Build, Catalog

HOST = Host(platform="linux-x86_64", python=PythonVersion(3, 12))


def driver(text: str) -> NumericVersion:
    return NumericVersion.parse(text)


def preferred(catalog: Catalog, version: str, ceiling: str | None, platform: str = "linux-x86_64") -> list[str]:
    """The GPU builds of a release in order of preference."""
    candidates = catalog.components["torch"].candidates
    order = newest_torch(catalog, driver(ceiling) if ceiling else None)(catalog.components["torch"].everything)
    chosen = [candidates[p] for p in order if candidates[p].version == version and candidates[p].platform == platform]
    return [candidate.build for candidate in chosen if candidate.build and candidate.build != "cpu"]


@pytest.mark.parametrize(
    ("version", "ceiling"),
    [("535.98", "12.2"), ("580.95.05", "13.0"), ("470.82.01", "11.4"), ("540.4.0", None), ("100.1", None)],
)
def test_a_driver_runs_natively_up_to_the_cuda_of_its_branch(
    catalog: Catalog, version: str, ceiling: str | None
) -> None:
    found = driver_ceiling(catalog, driver(version))
    assert (str(found) if found else None) == ceiling


def test_a_driver_past_the_tables_runs_what_the_newest_known_branch_ran(catalog: Catalog) -> None:
    newest_branch = catalog.branches[0]
    beyond = driver_ceiling(catalog, driver(f"{newest_branch.below_major + 75}.10"))
    assert str(beyond) == newest_branch.max_cuda


def test_no_driver_has_no_ceiling(catalog: Catalog) -> None:
    assert driver_ceiling(catalog, None) is None


@pytest.mark.parametrize(
    ("cuda", "ceiling", "native"),
    [("12.4.1", "12.4", True), ("12.6", "12.4", False), ("11", "12.0", True), ("13", "13.0", True)],
)
def test_patch_releases_do_not_count_for_nativeness(cuda: str, ceiling: str, native: bool) -> None:
    assert is_native(driver(cuda), driver(ceiling)) is native


def test_newer_releases_come_first_whatever_their_builds(catalog: Catalog) -> None:
    torch = catalog.components["torch"]
    versions = [torch.candidates[place].version for place in newest_torch(catalog, driver("11.4"))(torch.everything)]
    assert versions == [candidate.version for candidate in torch.candidates]


def test_the_drivers_own_major_comes_first(catalog: Catalog) -> None:
    """R535 runs 2.6.0's cu124 by minor-version compatibility, and that goes before the native cu118."""
    assert preferred(catalog, "2.6.0", "12.2") == ["cu124", "cu126", "cu118"]


def test_native_builds_go_before_minor_version_compatibility(catalog: Catalog) -> None:
    assert preferred(catalog, "2.6.0", "12.4") == ["cu124", "cu126", "cu118"]
    assert preferred(catalog, "2.7.1", "12.6") == ["cu126", "cu128", "cu118"]
    assert preferred(catalog, "2.9.1", "13.0")[0] == "cu130"


def test_without_a_driver_the_default_index_decides(catalog: Catalog) -> None:
    for place in newest_torch(catalog, None)(catalog.components["torch"].everything):
        candidate = catalog.components["torch"].candidates[place]
        best = preferred(catalog, candidate.version, None)[0]
        served = [
            other.build
            for number, other in enumerate(catalog.components["torch"].candidates)
            if (other.version, other.platform) == (candidate.version, "linux-x86_64")
            and catalog.build(number).default_index
        ]
        assert best in served


def ranked(*builds: Build) -> list[int]:
    """The order of builds of one release that differ in their facts alone, for a driver that runs CUDA 13.0."""
    candidates = tuple(Candidate("2.14.1", build="cu126", platform=f"platform{place}") for place in range(len(builds)))
    torch = Component("torch", "PyTorch", "package", Family.PEP440, candidates)
    rows = SimpleNamespace(components={"torch": torch}, build=builds.__getitem__)
    return list(torch_order(cast("Catalog", rows), driver("13.0"), ["2.14.1"])(torch.everything))


def test_what_is_known_best_goes_first(catalog: Catalog) -> None:
    """The default index goes before certainty of publication, and that before the evidence for the arch list."""
    best = catalog.builds[0]._replace(
        cuda="13.0", default_index=True, published="yes", evidence={"archs": "measured", "published": "inferred"}
    )
    documented = best._replace(evidence={"archs": "documented", "published": "metadata"})
    unlisted = best._replace(evidence={"published": "inferred"})
    matrix = best._replace(published="build-matrix")
    elsewhere = best._replace(default_index=False)
    assert ranked(elsewhere, matrix, unlisted, documented, best) == [4, 3, 2, 1, 0]
    assert ranked(best, documented, unlisted, matrix, elsewhere) == [0, 1, 2, 3, 4]


def test_only_torch_is_ranked(catalog: Catalog) -> None:
    layout = layout_of(catalog, frozenset(), 1)
    torch, cuda = layout.numbers["torch"], layout.numbers["cuda"]
    ranking = newest(catalog, HOST._replace(driver=driver("535.98")), layout)
    everything = catalog.components["torch"].everything
    order = list(newest_torch(catalog, driver("12.2"))(everything))
    assert list(ranking(torch, everything)) == order
    assert list(ranking(torch, 0b1010)) == [place for place in order if place in (1, 3)]
    assert list(ranking(cuda, 0b1010)) == [1, 3]


def test_a_package_that_nothing_needs_stays_out(catalog: Catalog) -> None:
    layout = layout_of(catalog, frozenset(["transformers"]), 1)
    numpy, everything = layout.numbers["numpy"], layout.components["numpy"].everything
    absent = len(layout.components["numpy"].candidates) - 1
    ranking = newest(catalog, HOST, layout)
    assert list(ranking(numpy, everything))[:3] == [absent, 0, 1]
    assert list(ranking(numpy, everything & ~(1 << absent)))[:2] == [0, 1]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (HOST._replace(gpus=()), True),
        (HOST._replace(gpus=(Gpu("T4", "7.5"),)), False),
        (HOST, False),
        (HOST._replace(platform="macos-arm64"), True),
        (HOST._replace(platform="macos-arm64", gpus=(Gpu("T4", "7.5"),)), False),
    ],
)
def test_who_wants_a_cpu_stack(host: Host, expected: bool) -> None:
    assert wants_cpu(host) is expected
