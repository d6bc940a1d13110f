"""What changed from one set of tables to another, in facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.authoring.difference import differences
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.pack import pack
from compatsolver.catalog.tables import unpack

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def tables(matrices: Path) -> dict[str, Any]:
    return unpack(pack(load_tables(matrices)))


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "torch/2.9.yaml",
            "sass: [sm_89, sm_70]",
            "sass: [sm_89]",
            ["torch 2.9.1 cu128 linux-x86_64: sm_70 removed"],
        ),
        (
            "torch/2.9.yaml",
            'pythons: ["3.13", "3.12"]',
            'pythons: ["3.13", "3.13t"]',
            [
                "torch 2.9.1 cu128 linux-x86_64: pythons 3.12 removed",
                "torch 2.9.1 cu128 linux-x86_64: pythons 3.13t added",
            ],
        ),
        (
            "torch/2.9.yaml",
            'cudnn: "9.10.2.21"',
            "cudnn: null",
            ["torch 2.9.1 cu128 linux-x86_64: cudnn 9.10.2.21 → unknown"],
        ),
        ("torch/2.9.yaml", "complete: false", "complete: true", ["torch 2.9.0: complete False → True"]),
        ("cuda.yaml", '"570.124.06"', '"570.26"', ["CUDA 12.8.1: driver linux 570.124.06 → 570.26"]),
        (
            "libraries/bitsandbytes.yaml",
            ">=2.3,<3",
            ">=2.4,<3",
            ["bitsandbytes 0.48.0: requires torch >=2.3,<3 → >=2.4,<3"],
        ),
        (
            "libraries/bitsandbytes.yaml",
            'glibc: "2.24"',
            'glibc: "2.28"',
            ["bitsandbytes 0.48.0: wheels linux-x86_64 glibc 2.24 → 2.28"],
        ),
        (
            "libraries/bitsandbytes.yaml",
            "severity: warning",
            "severity: error",
            ["bitsandbytes 0.48.0: works_with changed"],
        ),
        ("aliases.yaml", "  pytorch:", "  torch-gpu:", ["alias pytorch: removed", "alias torch-gpu: added"]),
        (
            "torch/2.9.yaml",
            'version: "2.9.0"',
            'version: "2.9.2"',
            ["torch 2.9.0: removed", "torch 2.9.2: added, released 2025-10-15"],
        ),
        ("cuda.yaml", "evidence: documented", "evidence: inferred", []),
    ],
)
def test_a_change_is_told_as_a_fact(
    matrices: Path, edit: Callable[[str, str, str], None], file: str, old: str, new: str, says: list[str]
) -> None:
    before = tables(matrices)
    edit(file, old, new)
    assert [str(change) for change in differences(before, tables(matrices))] == says


def test_provenance_is_told_on_request(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    before = tables(matrices)
    edit("cuda.yaml", "evidence: documented", "evidence: inferred")
    (change,) = differences(before, tables(matrices), provenance=True)
    assert change.what == "evidence documented → inferred"


def test_the_same_change_on_several_platforms_is_told_once(matrices: Path) -> None:
    before, after = tables(matrices), tables(matrices)
    for versions in (before, after):
        build = versions["torch"][0]["builds"][1]
        versions["torch"][0]["builds"].append(build | {"platform": "windows-x86_64"})
    for place in (1, -1):
        after["torch"][0]["builds"][place] = after["torch"][0]["builds"][place] | {"nccl": "2.27.5"}
    assert [str(change) for change in differences(before, after)] == [
        "torch 2.9.1 cu128 linux-x86_64, windows-x86_64: nccl unknown → 2.27.5"
    ]


def test_a_catalogue_does_not_differ_from_itself(matrices: Path) -> None:
    assert differences(tables(matrices), tables(matrices), provenance=True) == []
