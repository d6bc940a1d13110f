"""What the shipped catalogue says of a subject, and what it does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import compatsolver
from compatsolver.errors import InputError, OutOfScope, UnknownComponent

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/facts.schema.json").read_text(encoding="utf-8"))
LINUX = "linux-x86_64"


def facts(subject: str, platform: str = LINUX) -> dict[str, Any]:
    document = compatsolver.facts(subject, platform=platform).to_dict()
    Draft202012Validator(SCHEMA).validate(document)
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def test_a_build() -> None:
    found = facts("torch==2.9.1+cu128")
    expected = {
        "exists": True,
        "published": "yes",
        "cuda": "12.8.1",
        "requires_python": ">=3.10",
        "glibc": "2.28",
        "cudnn": "9.10.2.21",
        "nccl": "2.27.5",
        "triton": "3.5.1",
        "torchvision": "0.24.1",
        "torchaudio": "2.9.1",
        "index": "https://download.pytorch.org/whl/cu128",
        "default_index": True,
        "driver": {"floor": "525.60.13", "native": "570.26"},
        "cxx11_abi": True,
    }
    assert {name: found[name] for name in expected} == expected
    assert found["archs"]["sass"][-1] == "sm_70"
    assert found["archs"]["ptx"] == []
    assert all(found["sources"][name] for name in expected)


def test_the_driver_of_a_build_is_that_of_the_platform() -> None:
    assert facts("torch==2.9.1+cu128", "windows-x86_64")["driver"] == {"floor": "528.33", "native": "570.65"}


def test_a_cpu_build_has_nothing_of_cuda_and_that_is_known() -> None:
    found = facts("torch==2.9.1+cpu")
    assert {name: found[name] for name in ("cuda", "archs", "cudnn", "nccl", "driver")} == dict.fromkeys(
        ("cuda", "archs", "cudnn", "nccl", "driver")
    )
    assert {"cuda", "archs", "cudnn", "nccl", "driver"} <= found["evidence"].keys()


@pytest.mark.parametrize(
    ("subject", "exists"),
    [
        ("torch==2.9.1+cu999", False),
        ("torch==2.15.0+cu134", "unknown"),
        ("torch==2.15.0+cu126", False),
        ("torch==2.99+cu128", "unknown"),
        ("torch==2.9.7", False),
        ("torch==1.12.1+cu116", True),
        ("torch==1.12.1+cu117", "unknown"),
        ("peft==0.17.9", False),
        ("peft==99", "unknown"),
        ("driver 700.1", "unknown"),
        ("cuda 19.0", "unknown"),
        ("cuda 12.4.9", False),
        ("gpu RTX 9999", "unknown"),
        ("cudnn 1.0", "unknown"),
    ],
)
def test_what_no_row_names_is_absent_or_unknown(subject: str, exists: bool | str) -> None:
    """2.15.0 is not listed completely; past the horizon nothing is denied."""
    assert facts(subject)["exists"] == exists


def test_a_release_lists_its_builds_and_what_the_default_index_serves() -> None:
    found = facts("torch==2.9.1")
    assert found["default_index"][LINUX] == "cu128"
    assert found["default_index"]["windows-x86_64"] == "cpu"
    assert [row["build"] for row in found["builds"][LINUX]] == ["cu130", "cu129", "cu128", "cu126", "cpu"]


def test_a_library() -> None:
    found = facts("bitsandbytes==0.46.1")
    assert found["requires"] == {"numpy": ">=1.17", "torch": ">=2.2,<3"}
    assert found["binaries"][0]["archs"]["sass"]
    assert found["evidence"]["binaries"] == "artifact-exists"


def test_a_library_that_runs_on_some_gpus() -> None:
    found = facts("flash-attn==2.8.3")
    assert found["runs_on"] == {"compute_capability": {"at_least": "8.0"}}
    assert found["prebuilt"][0]["torch"][0] == "2.8"


def test_a_package_without_a_version_lists_its_releases() -> None:
    assert facts("PEFT")["releases"][0]["version"] == facts("peft==0.21.2")["subject"].removeprefix("peft ")


def test_a_gpu() -> None:
    found = facts("gpu RTX 4090")
    expected = {
        "name": "GeForce RTX 4090",
        "compute_capability": "8.9",
        "architecture": "Ada Lovelace",
        "memory_gib": 24,
        "first_branch": "R520",
        "last_branch": None,
    }
    assert {name: found[name] for name in expected} == expected
    assert "last_branch" in found["evidence"]


def test_a_gpu_that_is_no_longer_driven() -> None:
    assert facts("gpu Tesla V100")["last_branch"] == "R580"


def test_boards_of_one_name_and_two_sizes() -> None:
    found = facts("gpu RTX 3060")
    assert found["memory_gib"] is None
    assert "there are boards with 8 and 12 GiB" in found["notes"]


def test_a_driver() -> None:
    found = facts("driver 535.98")
    assert (found["branch"], found["native_cuda"], found["newest_cuda"]) == ("R535", "12.2", "12.9")
    assert "8.9" in found["compute_capabilities"]
    assert "10.0" not in found["compute_capabilities"]


def test_a_driver_on_windows_has_its_own_floors() -> None:
    assert facts("driver 527.41")["newest_cuda"] == "12.9"
    assert facts("driver 527.41", "windows-x86_64")["newest_cuda"] == "11.8"


def test_a_toolkit() -> None:
    found = facts("cuda 12.4")
    assert found["native_driver"] == {"linux": "550.54.14", "windows": "551.61"}
    assert found["driver_floor"] == {"linux": "525.60.13", "windows": "528.33"}
    assert found["host_compilers"]["gcc"] == "13"
    assert found["torch"]["2.6.0+cu124"] == [LINUX, "windows-x86_64"]


def test_a_library_that_torch_builds_pin() -> None:
    found = facts("cudnn 9.10.2")
    assert "2.9.1+cu128" in found["torch"]
    assert found["compute_capability"] == {"at_least": "5.0"}
    assert found["releases"][0]["packages"] == ["nvidia-cudnn-cu11", "nvidia-cudnn-cu12"]
    assert facts("nccl 2.27.5")["releases"][0]["released"] == "2025-06-26"
    assert "ncclCommRegister" in facts("nccl 2.27.5")["symbols"]


@pytest.mark.parametrize(
    ("subject", "error"),
    [
        ("", InputError),
        ("torch>=2", InputError),
        ("cuda", InputError),
        ("cuda twelve", InputError),
        ("driver 12.4", InputError),
        ("peft==one", InputError),
        ("torch==2.9.x", InputError),
        ("torch==2-+cu128", InputError),
        ("frobnicate==1", UnknownComponent),
        ("gpu Radeon RX 7900", OutOfScope),
    ],
)
def test_what_is_no_subject_is_refused_with_a_hint(subject: str, error: type[InputError]) -> None:
    with pytest.raises(error) as refused:
        facts(subject)
    assert refused.value.hint


def test_an_unknown_platform_is_refused() -> None:
    with pytest.raises(InputError, match="amiga"):
        compatsolver.facts("torch==2.9.1", platform="amiga")


def test_facts_of_an_overlay_name_its_source(tmp_path: Path) -> None:
    overlay = tmp_path / "ours.yaml"
    overlay.write_text(OVERLAY, encoding="utf-8")
    found = compatsolver.facts("gpu Workbench 1", overlay=[overlay]).to_dict()
    assert found["compute_capability"] == "8.9"
    assert found["sources"]["name"] == ["Our lab"]


OVERLAY = """
schema: compatsolver.overlay/1
title: ours
sources:
  lab: {title: Our lab, url: null, retrieved: 2026-11-30}
products:
- name: Workbench 1
  compute_capability: "8.9"
  chip: null
  memory_gib: 48
  market: workstation
  released: null
  evidence: measured
  sources: [lab]
"""


def test_the_known_issues_of_a_build_are_those_of_its_platform_and_runtime() -> None:
    def issues(subject: str, platform: str = LINUX) -> set[str]:
        return {issue["id"] for issue in facts(subject, platform)["issues"]}

    assert "KI092" in issues("torch==2.14.1+cu130")
    assert "KI092" not in issues("torch==2.14.1+cu126")
    assert "KI092" not in issues("torch==2.14.1+cu130", "linux-aarch64")
    assert "KI006" in issues("torch==2.9.0+cu128")
    assert "KI058" in issues("bitsandbytes==0.50.2")
    assert "KI013" in issues("nccl 2.29.2")
