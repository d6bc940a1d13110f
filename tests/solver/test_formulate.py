"""From a host and requirements to slots and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from asking import asked
from compatsolver.model.component import members
from compatsolver.model.host import Gpu, Host
from compatsolver.model.rule import Unknown
from compatsolver.model.version import NumericVersion, PythonVersion
from compatsolver.solver.formulate import formulate, interval, layout_of
from compatsolver.solver.problem import Assumption, Problem

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

HOST = Host(platform="linux-x86_64", python=PythonVersion(3, 12), assumed=("platform", "python"))
T4, V100, OTHER_T4 = Gpu("T4", "7.5"), Gpu("V100", "7.0"), Gpu("RTX 2080", "7.5")


def problem(catalog: Catalog, host: Host, *requires: str, cuda: str | None = None) -> Problem:
    formulated = formulate(catalog, host, [asked(catalog, text) for text in requires], cuda)
    assert isinstance(formulated, Problem)
    return formulated


def assumption(formulated: Problem, slot: str) -> Assumption:
    (found,) = [entry for entry in formulated.assumptions if entry.slot == slot]
    return found


def versions(catalog: Catalog, component: str, mask: int) -> list[str]:
    return [catalog.components[component].candidates[place].version for place in members(mask)]


def test_axes_that_were_not_given_are_not_assumed(catalog: Catalog) -> None:
    formulated = problem(catalog, HOST)
    assert {entry.slot for entry in formulated.assumptions} == {"gpu", "platform", "python"}
    assert all(entry.implied for entry in formulated.assumptions)
    assert "none" not in versions(catalog, "gpu", assumption(formulated, "gpu").allowed)


@pytest.mark.parametrize(
    ("host", "implied"), [(HOST._replace(gpus=()), False), (HOST._replace(platform="macos-arm64"), True)]
)
def test_a_cpu_stack_has_neither_gpu_nor_runtime(catalog: Catalog, host: Host, implied: bool) -> None:
    formulated = problem(catalog, host)
    for slot in ("gpu", "cuda"):
        entry = assumption(formulated, slot)
        assert versions(catalog, slot, entry.allowed) == ["none"]
        assert entry.implied is implied


def test_gpus_of_one_capability_share_a_slot(catalog: Catalog) -> None:
    formulated = problem(catalog, HOST._replace(gpus=(T4, OTHER_T4, T4)))
    assert assumption(formulated, "gpu").text == "T4, RTX 2080 (7.5)"
    assert "gpu#2" not in formulated.layout.components


def test_gpus_of_two_capabilities_have_two_slots_and_every_rule_twice(catalog: Catalog) -> None:
    formulated = problem(catalog, HOST._replace(gpus=(T4, V100)))
    assert versions(catalog, "gpu", assumption(formulated, "gpu").allowed) == ["7.0"]
    assert versions(catalog, "gpu", assumption(formulated, "gpu#2").allowed) == ["7.5"]
    slots: dict[str, list[str]] = {}
    for entry in formulated.layout.bound:
        slots.setdefault(entry.rule.id, []).extend(slot for slot in entry.slots if slot.startswith("gpu"))
    assert {tuple(found) for found in slots.values() if found} == {("gpu", "gpu#2")}


def test_the_driver_lies_in_one_interval(catalog: Catalog) -> None:
    host = HOST._replace(driver=NumericVersion.parse("535.98"), glibc=NumericVersion.parse("2.35"))
    formulated = problem(catalog, host)
    assert len(members(assumption(formulated, "driver").allowed)) == 1
    assert versions(catalog, "driver", assumption(formulated, "driver").allowed) == ["535"]
    assert assumption(formulated, "glibc").text == "glibc 2.35"


def test_the_lower_end_belongs_to_its_interval(catalog: Catalog) -> None:
    component = catalog.components["driver"]
    for text, expected in (
        ("525.60.13", "525.60.13"),
        ("525.60.12", "525"),
        ("0", "0"),
        ("9999.1", component.candidates[0].version),
    ):
        assert versions(catalog, "driver", interval(component, NumericVersion.parse(text))) == [expected]


def test_requirements_and_the_runtime_are_assumed_as_typed(catalog: Catalog) -> None:
    formulated = problem(catalog, HOST, "torch==2.6.0", "torchvision", cuda=">=12.4")
    assert [(e.slot, e.text, e.origin) for e in formulated.assumptions if not e.implied] == [
        ("torch", "torch==2.6.0", "requirement"),
        ("torchvision", "torchvision", "requirement"),
        ("cuda", "CUDA >=12.4", "cuda"),
    ]


def test_the_local_version_of_a_companion_is_assumed_of_torch(catalog: Catalog) -> None:
    formulated = problem(catalog, HOST, "torchvision==0.24.1+cu128")
    entry = assumption(formulated, "torch")
    assert entry.text == "torchvision==0.24.1+cu128"
    assert {catalog.components["torch"].candidates[place].build for place in members(entry.allowed)} == {"cu128"}


def test_what_is_not_known_is_told_all_at_once(catalog: Catalog) -> None:
    stranger = Unknown(fact="compute capability of Foo 9999", why="", how="")
    requirement = asked(catalog, "torch==2.99")
    missing = formulate(catalog, HOST._replace(unknown=(stranger,)), [requirement], "14")
    assert isinstance(missing, tuple)
    assert [fact.fact for fact in missing] == [
        "compute capability of Foo 9999",
        "releases matching torch==2.99",
        "torch builds for CUDA 14",
    ]


def test_a_layout_holds_what_its_packages_require(catalog: Catalog) -> None:
    components = layout_of(catalog, frozenset({"torchvision"}), 1).components
    assert "torchvision" in components
    assert "torchaudio" not in components
    assert layout_of(catalog, frozenset({"torchvision"}), 1) is layout_of(catalog, frozenset({"torchvision"}), 1)


def test_dependents_are_decided_before_what_they_require(catalog: Catalog) -> None:
    layout = layout_of(catalog, frozenset(["peft", "numpy"]), 1)
    order = list(layout.packages)
    assert order[0] == "torch"
    for dependent, required in (
        ("peft", "transformers"),
        ("transformers", "tokenizers"),
        ("tokenizers", "huggingface-hub"),
    ):
        assert order.index(dependent) < order.index(required)
    assert order.index("transformers") < order.index("numpy")


def test_what_releases_work_with_is_not_brought_in(catalog: Catalog) -> None:
    assert "bitsandbytes" not in layout_of(catalog, frozenset(["transformers"]), 1).components
