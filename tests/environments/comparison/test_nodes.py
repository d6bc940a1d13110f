"""Recorded nodes compared: what differs, whether it matters, who stands out, what becomes of a job."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import jsonschema
import pytest

import compatsolver
from compatsolver.emitters import pylock
from compatsolver.render.comparison_text import comparison_text
from compatsolver.render.document import document
from locks import lock_of
from nodes import A100, node
from process import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.model.comparison import Comparison

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the recorded programs are shell scripts")

SCHEMA = json.loads((ROOT / "docs/schema/comparison.schema.json").read_text(encoding="utf-8"))
CATALOG = {"version": "2026.11.30", "digest": "5e1f" * 16}
CPU = {"torch": "2.9.1+cpu", "nvidia-nccl-cu12": None, "nvidia-cudnn-cu12": None}
CU130 = {
    "torch": "2.9.1+cu130",
    "nvidia-nccl-cu12": None,
    "nvidia-cudnn-cu12": None,
    "nvidia-nccl-cu13": "2.27.7",
    "nvidia-cudnn-cu13": "9.13.0.50",
}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Documents by the name of their node."""
    folder = tmp_path_factory.mktemp("nodes")
    made = [
        *(node(folder, f"node{number}") for number in (1, 2, 3)),
        node(folder, "nccl", {"nvidia-nccl-cu12": "2.27.3"}),
        node(folder, "nccl2", {"nvidia-nccl-cu12": "2.27.3"}),
        node(folder, "driver", driver="570.148.08"),
        node(folder, "old", driver="470.256.02"),
        node(folder, "a100", gpu=A100),
        node(folder, "cpu", CPU),
        node(folder, "cu130", CU130, driver="580.95.05"),
        node(folder, "peft", {"peft": "0.17.1", "rich": "14.1.0"}),
        node(folder, "strange", {"peft": "99.0"}),
        node(folder, "variable", environ={"NCCL_PROTO": "LL128"}),
    ]
    return {path.stem: path for path in made}


@pytest.fixture
def compared(nodes: dict[str, Path]) -> Callable[..., Comparison]:
    """Compare nodes by their names; every answer follows the published schema."""
    validator = jsonschema.Draft202012Validator(SCHEMA)

    def compared(*names: str) -> Comparison:
        found = compatsolver.compare(*(nodes[name] for name in names))
        assert list(validator.iter_errors(json.loads(document(found.to_dict())))) == []
        return found

    return compared


def weights(found: Comparison) -> dict[str, str]:
    return {entry.trait: entry.weight for entry in found.differences}


def collective(found: Comparison) -> str | None:
    return found.collective and found.collective.verdict


def test_equal_nodes_are_alike(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "node2", "node3")
    assert (found.verdict, found.differences, found.changes) == ("alike", (), ())
    assert collective(found) == "works"


def test_one_nccl_off_breaks_collectives_and_is_mended_by_one_command(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "nccl", "node2")
    assert (found.verdict, found.odd, weights(found)) == ("different", ("nccl",), {"nccl": "matters"})
    assert collective(found) == "breaks"
    (change,) = found.changes
    assert (change.machines, change.like, change.verified) == (("nccl",), "node1", True)
    assert change.commands == ("pip install 'nvidia-nccl-cu12==2.27.5'",)


def test_a_driver_above_the_floor_does_not_matter(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "driver", "node2")
    assert (found.verdict, weights(found), found.changes) == ("alike", {"driver": "little"}, ())
    assert collective(found) == "works"


def test_a_driver_below_the_floor_matters_and_moves_to_it(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "old", "node2")
    assert (found.odd, weights(found)) == (("old",), {"driver": "matters"})
    assert collective(found) == "breaks"
    (change,) = found.changes
    assert [(fix.change, fix.to, fix.verified) for fix in change.fixes] == [("driver", ">=525.60.13", True)]
    assert change.commands == ()


def test_a_stack_that_another_driver_does_not_run_makes_drivers_matter(compared: Callable[..., Comparison]) -> None:
    """CUDA 13 wants a 580 driver: between 570 and 580 the difference matters as soon as one node has such a torch."""
    assert weights(compared("node1", "cu130"))["driver"] == "matters"


def test_mixed_gpus_differ_in_what_no_installation_changes(compared: Callable[..., Comparison]) -> None:
    found = compared("a100", "node1", "node2")
    assert (found.odd, found.changes, found.lasting) == (("a100",), (), ("compute capability",))
    assert weights(found) == {"capability": "matters", "gpu": "little"}
    assert collective(found) == "works"
    assert found.collective
    assert "LL128" in found.collective.because[-1].statement


def test_a_cpu_build_has_no_nccl_and_gets_the_build_of_the_others(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "node2", "cpu")
    assert (found.odd, collective(found)) == (("cpu",), "breaks")
    assert weights(found) == dict.fromkeys(("backend", "build", "cuda"), "matters")
    (change,) = found.changes
    index = "https://download.pytorch.org/whl/cu128"
    assert change.commands == (f"pip install 'torch==2.9.1+cu128' --extra-index-url {index}",)


def test_libraries_of_another_cuda_major_go_before_torch_comes(compared: Callable[..., Comparison]) -> None:
    """They share directories with those of this major, and uninstalling them later would take the files of both."""
    (change,) = compared("node1", "node2", "cu130").changes
    assert change.commands[0] == "pip uninstall --yes nvidia-cudnn-cu13 nvidia-nccl-cu13"
    assert change.commands[1].startswith("pip install 'torch==2.9.1+cu128' ")


def test_two_against_two_is_a_tie(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "nccl", "node2", "nccl2")
    (difference,) = found.differences
    assert (difference.is_tie, found.odd) == (True, ())
    assert "(a tie, 2 to 2)" in comparison_text(found)
    assert len(found.changes) == 1


def test_packages_of_the_catalogue_matter_and_of_others_nobody_knows(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "node2", "peft")
    assert weights(found) == {"package:peft": "matters", "package:rich": "unknown"}
    assert [change.commands for change in found.changes] == [("pip install 'peft==0.18.0'",)]


def test_a_release_that_the_catalogue_does_not_hold_is_no_model(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "strange")
    (change,) = found.changes
    assert (change.machines, change.like) == (("strange",), "node1")
    assert change.verified


def test_a_variable_of_nccl_on_one_node_leaves_the_job_open(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "variable", "node2")
    assert (found.verdict, weights(found)) == ("alike", {"env:NCCL_PROTO": "unknown"})
    assert collective(found) == "unknown"


def test_machines_are_held_against_a_lock(nodes: dict[str, Path], tmp_path: Path) -> None:
    """A lock says what is meant, also where it stands against a majority; what it does not name is no matter."""
    lock = tmp_path / "pylock.toml"
    lock.write_text(pylock.render(lock_of())["pylock.toml"], encoding="utf-8")
    found = compatsolver.compare(nodes["node1"], lock, nodes["node2"])
    assert (found.verdict, found.odd) == ("different", ("node1", "node2"))
    assert "package:rich" not in weights(found)
    assert collective(found) == "works"
    (change,) = found.changes
    assert (change.machines, change.like, change.verified) == (("node1", "node2"), "pylock", True)
    assert change.commands[0].startswith("pip install 'torch==2.14.1+cu126' 'peft==0.17.1'")
    assert "depart from the lock" in comparison_text(found)


def test_listings_are_compared_as_far_as_they_tell(tmp_path: Path) -> None:
    """A listing names neither Python nor GPU: nothing differs, and that is not the same as being alike."""
    for name in ("a", "b"):
        listing = "torch==2.9.1+cu128\nnvidia-nccl-cu12==2.27.5\npeft==0.18.0\n"
        (tmp_path / f"{name}.txt").write_text(listing, encoding="utf-8")
    found = compatsolver.compare(tmp_path / "a.txt", tmp_path / "b.txt")
    assert (found.verdict, found.differences) == ("undetermined", ())
    assert [entry.fact for entry in found.missing] == [f"Python, compute capability of {name}" for name in "ab"]


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("alike", ("node1", "node2", "driver")),
        ("nccl", ("node1", "node2", "nccl")),
        ("several", ("node1", "node2", "cu130", "cpu", "peft", "variable")),
    ],
)
def test_text_is_the_golden_one(
    compared: Callable[..., Comparison], golden: Callable[[str, str], str], name: str, chosen: tuple[str, ...]
) -> None:
    text = comparison_text(replace(compared(*chosen), catalog=CATALOG))
    assert text == golden(f"comparison-{name}.txt", text)
    assert max(len(line) for line in text.splitlines() if "pip " not in line) <= 80


def test_the_headline_is_coloured_on_request(compared: Callable[..., Comparison]) -> None:
    found = compared("node1", "node2")
    assert comparison_text(found, colour=True).startswith("\x1b[1;32mThe 2 are alike")
    assert "\x1b" not in comparison_text(found)


def test_a_package_is_rather_put_in_than_taken_away(nodes: dict[str, Path], tmp_path: Path) -> None:
    more = node(tmp_path, "more", {"accelerate": "1.12.0"})
    (change,) = compatsolver.compare(nodes["node1"], more).changes
    assert (change.machines, change.commands) == (("node1",), ("pip install 'accelerate==1.12.0'",))


def test_what_another_package_requires_is_not_uninstalled(nodes: dict[str, Path], tmp_path: Path) -> None:
    """The lock of a majority is no reason to break peft, which requires transformers."""
    bare = node(tmp_path, "bare", {"transformers": None, "peft": None, "nvidia-nccl-cu12": "2.27.3"})
    odd = node(tmp_path, "odd", {"transformers": None})
    found = compatsolver.compare(odd, bare, nodes["node1"])
    assert not [line for change in found.changes for line in change.commands if "uninstall" in line]


def test_a_library_that_torch_does_not_require_is_no_model(compared: Callable[..., Comparison]) -> None:
    """Two of three have the older NCCL, and the odd one is right: torch 2.9.1 requires its own."""
    found = compared("nccl", "node1", "nccl2")
    assert found.odd == ("node1",)
    assert [(change.machines, change.like) for change in found.changes] == [(("nccl", "nccl2"), "node1")]
