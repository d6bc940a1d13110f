"""Which packages are known, which are carried along, and which are misspelt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.catalog.profiles import profile_requirements
from compatsolver.catalog.requirements import Asked, runtime_notes, sort_out
from compatsolver.errors import UnknownComponent
from compatsolver.model.request import Requirement

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


def requirement(name: str, specifier: str = "", **columns: Any) -> Requirement:
    return Requirement(name=name, specifier=specifier, text=name + specifier)._replace(**columns)


def sorted_out(catalog: Catalog, *requirements: Requirement) -> Asked:
    return sort_out(catalog, requirements)


def test_known_packages_are_known(catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement("torch", ">=2.6"), requirement("torch", "<2.10"), requirement("peft"))
    assert [entry.name for entry in asked.known] == ["torch", "torch", "peft"]
    assert (asked.unchecked, asked.notes) == ((), ())


def test_an_alias_says_so(catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement("pytorch", "==2.9.1"))
    assert [(entry.name, entry.specifier) for entry in asked.known] == [("torch", "==2.9.1")]
    assert "called torch" in asked.notes[0]


def test_a_package_made_for_one_cuda_asks_for_it(catalog: Catalog) -> None:
    cudnn = requirement("nvidia-cudnn-cu12", "==9.1.0.70")
    asked = sorted_out(catalog, cudnn)
    assert [(entry.name, entry.specifier) for entry in asked.known] == [
        ("cudnn", "==9.1.0.70"),
        ("cuda", ">=12.0,<13.0"),
    ]
    assert {entry.text for entry in asked.known} == {cudnn.text}


def test_a_constraint_on_a_package_made_for_one_cuda_does_not_bring_it_in(catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement("nvidia-cudnn-cu12", "==9.1.0.70", is_constraint=True))
    assert [entry.name for entry in asked.known] == ["cudnn"]


def test_patch_releases_of_cuda_count_as_one(catalog: Catalog) -> None:
    notes = sorted_out(catalog, requirement("cuda-toolkit", "==12.6.3")).notes
    assert "cuda-toolkit==12.6.3 is read by its minor version: PyTorch's builds name no more of CUDA" in notes
    assert not any("minor version" in note for note in sorted_out(catalog, requirement("cuda-toolkit", "==12.6")).notes)


def test_other_packages_are_carried_as_asked(catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement("nvitop", ">=1"), requirement("rich"), requirement("nvitop", ">=1"))
    assert asked.known == ()
    assert asked.unchecked == ("nvitop>=1", "rich")
    assert asked.notes == (
        "the catalogue holds no facts on nvitop, rich: carried as asked, and only `lock` can check it",
    )


def test_constraints_count_only_beside_what_was_asked(catalog: Catalog) -> None:
    limits = [requirement("nvitop", "<2", is_constraint=True), requirement("rich", "<14", is_constraint=True)]
    assert sorted_out(catalog, requirement("nvitop"), *limits).unchecked == ("nvitop", "nvitop<2")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("torchvison", "torchvision"),
        ("tranformers", "transformers"),
        ("bitandbytes", "bitsandbytes"),
        ("tritn", "triton"),
    ],
)
def test_one_letter_off_is_asked_back(name: str, near: str, catalog: Catalog) -> None:
    with pytest.raises(UnknownComponent) as caught:
        sorted_out(catalog, requirement(name, origin="requirements.txt:3"))
    assert near in caught.value.near
    assert "requirements.txt:3" in caught.value.message


@pytest.mark.parametrize(("name", "near"), [("torchx", "torch"), ("tritonx", "triton")])
def test_a_known_name_with_a_letter_more_is_carried_and_asked_about(name: str, near: str, catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement(name))
    assert asked.unchecked == (name,)
    assert f"{name}: did you mean {near}?" in asked.notes


@pytest.mark.parametrize("name", ["x-transformers", "sentence-transformers", "torchtune", "pytorch-lightning", "numba"])
def test_other_real_packages_are_not_taken_for_misspelt(name: str, catalog: Catalog) -> None:
    assert sorted_out(catalog, requirement(name)).unchecked == (name,)


@pytest.mark.parametrize("name", ["python", "driver", "glibc"])
def test_parts_of_the_target_are_no_packages(name: str, catalog: Catalog) -> None:
    with pytest.raises(UnknownComponent, match="part of the target") as caught:
        sorted_out(catalog, requirement(name))
    assert f"--{name}" in (caught.value.hint or "")


def test_extras_nobody_knows_are_told(catalog: Catalog) -> None:
    asked = sorted_out(catalog, requirement("transformers", extras=("torch", "tea")))
    assert asked.notes == ("the catalogue does not know what transformers[tea] adds: carried as asked",)


def test_profiles_are_data(catalog: Catalog) -> None:
    lora = {entry.name for entry in profile_requirements(catalog, "lora").requirements}
    qlora = {entry.name for entry in profile_requirements(catalog, "qlora").requirements}
    assert lora == {"torch", "transformers", "peft", "accelerate", "datasets"}
    assert qlora - lora == {"bitsandbytes"}
    with pytest.raises(UnknownComponent) as caught:
        profile_requirements(catalog, "vision")
    assert "qlora" in (caught.value.hint or "")


@pytest.mark.parametrize(("cuda", "notes"), [("12.4.1", 1), (">=12.4.1,<13", 1), ("12.4", 0), ("none", 0), (None, 0)])
def test_a_runtime_named_by_its_patch_level_says_how_it_is_read(cuda: str | None, notes: int) -> None:
    assert len(runtime_notes(cuda)) == notes
