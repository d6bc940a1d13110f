"""Evidence is what the command wrote about a GPU that passed, and tells nothing of its host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compatsolver.model.validation import CheckResult, ProposedFact, ValidationReport
from compatsolver.validation.attestations import attestation_of, problems_in

REPOSITORY = Path(__file__).parents[2] / "data" / "attestations"
REPORT = ValidationReport(
    status="passed",
    device="cuda",
    confirmed=True,
    because=(),
    date="2026-11-30",
    catalog={"version": "2026.11.30", "digest": "5e1f" * 16, "overlay": [{"title": "ours"}]},
    lock=None,
    environment={
        "python": "3.12.1",
        "system": "Linux",
        "machine": "x86_64",
        "glibc": "2.35",
        "driver": "580.95.05",
        "gpus": [{"name": "an example", "compute_capability": "9.0", "memory_bytes": 1 << 37}],
        "torch": {"version": "2.13.0+cu130", "archs": ["sm_90"]},
        "packages": {"torch": "2.13.0+cu130", "nvidia-nccl-cu13": "2.29.7", "a-private-package": "1.0"},
    },
    checks=(
        CheckResult("identity", "imports", "passed", 1.0, "exit code 0", {"executable": "/home/me/bin/python"}),
        CheckResult("solve", "solve", "passed", 1.0, "exit code 0", {"relative_errors": {"lu": 1e-7}}),
    ),
    proposed=(ProposedFact("torch 2.13.0+cu130, linux-x86_64", "nccl", "2.29.7", "2.29.8", "gpu-run"),),
)


def problems(tmp_path: Path, document: Any) -> list[str]:
    (tmp_path / "example.json").write_text(json.dumps(document), encoding="utf-8")
    return problems_in(tmp_path)


def test_what_the_command_writes_is_sound(tmp_path: Path) -> None:
    document = attestation_of(REPORT)
    assert problems(tmp_path, document) == []
    assert document["packages"] == {"torch": "2.13.0+cu130", "nvidia-nccl-cu13": "2.29.7"}
    assert "/home" not in json.dumps(document)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"gpus": []}, "no GPU computed"),
        ({"confirmed": False}, "confirms nothing"),
        ({"checks": [{"name": "solve", "status": "failed", "seconds": 1.0, "numbers": {}}]}, "did not all pass"),
        ({"checks": []}, "did not all pass"),
        ({"date": "yesterday"}, "is not a day"),
        ({"driver": None}, "driver"),
        ({"hostname": "box"}, "hostname"),
        ({"system": "Linux /home/me"}, "tells something of its host"),
        ({"schema": "compatsolver.validation/1"}, "schema"),
    ],
)
def test_what_it_would_not_write_is_refused(tmp_path: Path, change: dict[str, Any], word: str) -> None:
    found = problems(tmp_path, attestation_of(REPORT) | change)
    assert [word in problem for problem in found] == [True]


def test_a_file_that_is_no_attestation_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    assert [problem.partition(":")[0] for problem in problems_in(tmp_path)] == ["a.json", "b.json"]


def test_those_of_the_repository_are_sound() -> None:
    assert problems_in(REPOSITORY) == []
