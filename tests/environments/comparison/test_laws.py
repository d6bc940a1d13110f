"""Laws of comparing: a machine is like itself, order is no matter, and the change that is proposed makes them one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import compatsolver
from compatsolver.model.comparison import MATTERS

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.model.comparison import Change, Comparison

TORCHES = {
    "2.9.1+cu128": {"nvidia-nccl-cu12": "2.27.5", "nvidia-cudnn-cu12": "9.10.2.21"},
    "2.9.1+cu126": {"nvidia-nccl-cu12": "2.27.5", "nvidia-cudnn-cu12": "9.10.2.21"},
    "2.9.1+cu130": {"nvidia-nccl-cu13": "2.27.7", "nvidia-cudnn-cu13": "9.13.0.50"},
    "2.8.0+cu128": {"nvidia-nccl-cu12": "2.27.3", "nvidia-cudnn-cu12": "9.10.2.21"},
    "2.9.1+cpu": {},
}
CUDA = {"cu128": "12.8", "cu126": "12.6", "cu130": "13.0", "cpu": "none"}
GPUS = {"NVIDIA H100 80GB HBM3": "9.0", "NVIDIA A100-SXM4-80GB": "8.0"}
SOME = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def machines(draw: st.DrawFn) -> dict[str, Any]:
    """A document as `probe` writes it, with one thing or another off."""
    torch, gpu = draw(st.sampled_from(sorted(TORCHES))), draw(st.sampled_from(sorted(GPUS)))
    libraries = dict(TORCHES[torch])
    if "nvidia-nccl-cu12" in libraries and draw(st.booleans()):
        libraries["nvidia-nccl-cu12"] = draw(st.sampled_from(("2.27.5", "2.27.3")))
    packages = {"torch": torch, **libraries, "rich": draw(st.sampled_from(("14.2.0", "14.1.0")))}
    if peft := draw(st.sampled_from(("0.18.0", "0.17.1", None))):
        packages["peft"] = peft
    return {
        "gpu": [gpu],
        "compute_capability": [GPUS[gpu]],
        "driver": draw(st.sampled_from(("535.161.08", "570.133.20", "580.95.05"))),
        "os": "Ubuntu 22.04.5 LTS",
        "arch": "x86_64",
        "python": draw(st.sampled_from(("3.12.3", "3.12.9", "3.11.9"))),
        "glibc": "2.35",
        "packages": packages,
        "observed": [{"axis": "torch_cuda", "value": CUDA[torch.partition("+")[2]], "how": "torch/version.py"}],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def compared(folder: Path, documents: dict[str, dict[str, Any]], order: list[str] | None = None) -> Comparison:
    for name, written in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(written), encoding="utf-8")
    return compatsolver.compare(*(folder / f"{name}.json" for name in order or documents))


def named(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {f"node{place}": entry for place, entry in enumerate(found, start=1)}


@SOME
@given(machine=machines())
def test_a_machine_is_like_itself(folder: Path, machine: dict[str, Any]) -> None:
    found = compared(folder, {"a": machine, "b": machine})
    assert (found.verdict, found.differences, found.missing) == ("alike", (), ())


@SOME
@given(nodes=st.lists(machines(), min_size=2, max_size=4), data=st.data())
def test_the_order_of_the_inputs_is_no_matter(folder: Path, nodes: list[dict[str, Any]], data: st.DataObject) -> None:
    documents = named(nodes)
    order = data.draw(st.permutations(sorted(documents)))
    assert compared(folder, documents, list(order)) == compared(folder, documents)


@SOME
@given(nodes=st.lists(machines(), min_size=2, max_size=4))
def test_the_change_that_is_proposed_makes_them_one(folder: Path, nodes: list[dict[str, Any]]) -> None:
    documents = named(nodes)
    before = compared(folder, documents)
    assume(all(change.verified for change in before.changes))
    for change in before.changes:
        for name in change.machines:
            documents[name] = changed(documents[name], change)
    after = compared(folder, documents)
    assert {entry.title for entry in after.differences if entry.weight == MATTERS} == set(before.lasting)
    assert after.changes == ()


def changed(machine: dict[str, Any], change: Change) -> dict[str, Any]:
    """The document of the machine after the change, as its fixes say."""
    packages, rest = dict(machine["packages"]), dict(machine)
    for fix in change.fixes:
        if fix.change == "python":
            rest["python"] = f"{fix.to}.9"
        elif fix.change == "driver":
            rest["driver"] = str(fix.to).partition(",")[0].removeprefix(">=")
        elif fix.to is None:
            del packages[fix.change]
        else:
            packages[fix.change] = fix.to
    cuda = CUDA[packages["torch"].partition("+")[2]]
    return {**rest, "packages": packages, "observed": [machine["observed"][0] | {"value": cuda}]}


@SOME
@given(nodes=st.lists(machines(), min_size=2, max_size=3))
def test_a_twin_of_a_machine_changes_no_verdict(folder: Path, nodes: list[dict[str, Any]]) -> None:
    alone = compared(folder, named(nodes))
    doubled = compared(folder, named([*nodes, nodes[0]]))
    assert doubled.verdict == alone.verdict
    assert {entry.trait for entry in doubled.differences} == {entry.trait for entry in alone.differences}
