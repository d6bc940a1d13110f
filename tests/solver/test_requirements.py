"""What a requirement selects, and whether nothing selected means impossible or not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from asking import asked
from compatsolver.errors import InvalidRequirement
from compatsolver.model.component import members
from compatsolver.model.version import package_version
from compatsolver.solver.requirements import select_cuda
from compatsolver.solver.selection import select

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Selection


def selection(catalog: Catalog, text: str) -> Selection:
    return select(catalog, asked(catalog, text))


def selected(catalog: Catalog, text: str) -> set[str]:
    name = asked(catalog, text).name
    candidates = catalog.components[name].candidates
    return {candidates[place].spelling for place in members(selection(catalog, text).allowed)}


def test_a_name_alone_takes_everything(catalog: Catalog) -> None:
    assert selection(catalog, "torch").allowed == catalog.components["torch"].everything


@pytest.mark.parametrize(
    ("text", "lowest", "highest"),
    [("torch>=2.6,<2.10", "2.6.0", "2.9.1"), ("torch~=2.3.0", "2.3.0", "2.3.1"), ("torch==2.9.*", "2.9.0", "2.9.1")],
)
def test_a_range_takes_all_builds_of_its_releases(catalog: Catalog, text: str, lowest: str, highest: str) -> None:
    versions = sorted(package_version(spelling) for spelling in selected(catalog, text))
    assert (versions[0].public, versions[-1].public) == (lowest, highest)


@pytest.mark.parametrize("text", ["torch==2.9.1", "torch===2.9.1", "torch==2.9.1.0", "torch>2.9.0,<2.10"])
def test_a_release_takes_its_builds_whatever_their_local_version(catalog: Catalog, text: str) -> None:
    assert selected(catalog, text) >= {"2.9.1+cpu", "2.9.1+cu126", "2.9.1+cu128", "2.9.1+cu130"}


def test_a_local_version_takes_one_build_on_every_platform(catalog: Catalog) -> None:
    places = members(selection(catalog, "torch==2.9.1+cu128").allowed)
    candidates = [catalog.components["torch"].candidates[place] for place in places]
    assert {candidate.spelling for candidate in candidates} == {"2.9.1+cu128"}
    assert {candidate.platform for candidate in candidates} >= {"linux-x86_64", "windows-x86_64"}


@pytest.mark.parametrize("text", ["torchvision==0.24.1+cu128", "torchaudio==2.9.1+cu128", "torchvision==0.24.1+CU128"])
def test_the_local_version_of_a_companion_names_the_build_of_torch(catalog: Catalog, text: str) -> None:
    chosen = selection(catalog, text)
    assert selected(catalog, text) == {text.partition("==")[2].partition("+")[0]}
    assert chosen.torch_builds is not None
    builds = {catalog.components["torch"].candidates[place].build for place in members(chosen.torch_builds)}
    assert builds == {"cu128"}


def test_two_local_versions_at_once_name_no_build(catalog: Catalog) -> None:
    assert selection(catalog, "torchvision==0.24.1+cu128,==0.24.1+cu126").torch_builds == 0


@pytest.mark.parametrize("text", ["torch==2.3.7", "torch==2.9.1+cu124", "torch<2.0,>2.1", "torchvision==0.24.7+cu128"])
def test_what_lies_between_listed_releases_does_not_exist(catalog: Catalog, text: str) -> None:
    chosen = selection(catalog, text)
    assert (chosen.allowed, chosen.unlisted) == (0, None)


@pytest.mark.parametrize(
    "text",
    [
        "torch==2.99",  # past the horizon
        "torch>=3",
        "torch>2.15.0",
        "torch==2.16.*",
        "torch<3,>=2.16",
        "torch>=2.15.0,!=2.15.0",
        "torch<1.13",  # older than the tables
        "torch<=1.0",
        "torch==2.15.0+cu140",  # of a release whose builds are not all listed
        "torch==2.9.1+rocm6.4",  # of a kind that is not listed
        "torch==2.15.0rc1",
        "torch==2.15.0.dev20261101",
        "torch===nightly",
        "torchvision==0.99+cu126",
        "torchvision==0.24.1+rocm6.4",
        "torchvision<0.5",
    ],
)
def test_what_may_exist_beyond_the_tables_is_not_known(catalog: Catalog, text: str) -> None:
    chosen = selection(catalog, text)
    assert chosen.allowed == 0
    assert chosen.unlisted is not None
    assert text in chosen.unlisted.fact
    assert catalog.horizon in chosen.unlisted.why


@pytest.mark.parametrize("text", ["torch==two", "torch>=2.9.1+cu128", "torch=>2"])
def test_what_pep_440_does_not_know_is_refused(catalog: Catalog, text: str) -> None:
    with pytest.raises(InvalidRequirement):
        selection(catalog, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.6", {"12.6"}),
        ("cu126", {"12.6"}),
        ("12.6.3", {"12.6"}),
        ("==12.9", {"12.9"}),
        ("==12.6.3", {"12.6"}),
        ("===12.6.3", {"12.6"}),
        ("~=12.6.2", {"12.6"}),
        ("==12.6.77.*", {"12.6"}),
        ("~=12.8", {"12.8", "12.9"}),
        (">=12.8.1,<12.9.1", {"12.8", "12.9"}),
        (">12.8.1,<12.9.0", {"12.8"}),
        (">=12.8,<=12.8.0", {"12.8"}),
        (">=12.8.0,!=12.8.1,!=12.9.*,<13", {"12.8"}),
        ("cu118", {"11.8"}),
        (">=12.4,<13", {"12.4", "12.5", "12.6", "12.7", "12.8", "12.9"}),
        ("none", {"none"}),
        ("cpu", {"none"}),
    ],
)
def test_runtimes_are_named_by_version_tag_or_range(catalog: Catalog, text: str, expected: set[str]) -> None:
    chosen = select_cuda(catalog, text)
    candidates = catalog.components["cuda"].candidates
    assert {candidates[place].version for place in members(chosen.allowed)} == expected
    assert chosen.unlisted is None


def test_a_requirement_on_the_toolkit_names_its_minor(catalog: Catalog) -> None:
    assert selected(catalog, "cuda-toolkit==12.6.3") == {"12.6"}
    assert selected(catalog, "cuda-toolkit~=12.6.2") == {"12.6"}


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("==9.10.2.21", {"9.10.2.21"}),
        ("==9.10.2", {"9.10.2.21"}),
        ("==9.10", {"9.10.2.21"}),
        (">9.7.1,<=9.10.2", {"9.10.2.21"}),
        (">=9.7.1,<9.10.2", {"9.7.1.26"}),
        ("~=9.10.2", {"9.10.2.21"}),
        (">=9.7,<9.12,!=9.10.2", {"9.7.1.26"}),
    ],
)
def test_a_release_of_cudnn_takes_its_wheels(specifier: str, expected: set[str], catalog: Catalog) -> None:
    assert selected(catalog, f"cudnn{specifier}") == expected


def test_a_major_takes_all_its_minors(catalog: Catalog) -> None:
    places = members(select_cuda(catalog, "12").allowed)
    versions = {catalog.components["cuda"].candidates[place].version for place in places}
    assert versions >= {"12.1", "12.4", "12.9"}
    assert {version.partition(".")[0] for version in versions} == {"12"}


@pytest.mark.parametrize("text", ["13.9", "14", "cu140", ">=14", ">13.5", "9.0", "<10"])
def test_a_runtime_beyond_the_tables_is_not_known(catalog: Catalog, text: str) -> None:
    chosen = select_cuda(catalog, text)
    assert chosen.allowed == 0
    assert chosen.unlisted is not None
    assert text in chosen.unlisted.fact


@pytest.mark.parametrize("text", ["cu1268", "cuda12.6", "12,6", "latest"])
def test_a_runtime_that_is_no_version_is_refused(catalog: Catalog, text: str) -> None:
    with pytest.raises(InvalidRequirement):
        select_cuda(catalog, text)
