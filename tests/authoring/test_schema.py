"""What rows accept and refuse."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date
from typing import get_args

import pytest

from compatsolver.authoring import schema
from compatsolver.authoring.rows import RowError
from compatsolver.model.component import Family
from compatsolver.model.provenance import EVIDENCE
from compatsolver.model.request import PLATFORMS

GPU = {
    "name": "GeForce RTX 4090",
    "compute_capability": "8.9",
    "chip": "AD102",
    "memory_gib": 24,
    "market": "geforce",
    "released": date(2022, 9, 20),
    "evidence": "documented",
    "sources": ["guide"],
}


def test_vocabularies_are_those_of_the_model() -> None:
    assert get_args(schema.Evidence) == EVIDENCE
    assert get_args(schema.Platform) == PLATFORMS


def test_a_row_reads_its_keys() -> None:
    row = schema.GpuRow.read(GPU)
    assert (row.name, row.memory_gib, row.notes) == ("GeForce RTX 4090", 24.0, [])


def test_a_component_has_a_family_of_versions() -> None:
    row = schema.ComponentRow.read({"name": "cuda", "title": "CUDA", "kind": "runtime", "family": "cuda"})
    assert row.family is Family.CUDA


def test_a_row_does_not_change() -> None:
    row = schema.GpuRow.read(GPU)
    with pytest.raises(FrozenInstanceError):
        row.name = "GeForce RTX 4080"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("compute_capability", 8.9, "should be a text"),
        ("compute_capability", None, "should be a text"),
        ("market", "gaming", "'geforce', 'workstation', 'data-center' or 'jetson'"),
        ("evidence", "hearsay", "'inferred'"),
        ("released", "2022", "should be a day"),
        ("memory_gib", "24", "should be a number"),
        ("sources", "guide", "should be a list"),
        ("colour", "black", "not a key"),
    ],
)
def test_a_row_refuses(key: str, value: object, says: str) -> None:
    with pytest.raises(RowError, match=says):
        schema.GpuRow.read(GPU | {key: value})


@pytest.mark.parametrize("key", sorted(set(GPU) - {"notes"}))
def test_unknown_is_written_and_not_left_out(key: str) -> None:
    with pytest.raises(RowError, match="the key is missing"):
        schema.GpuRow.read({name: value for name, value in GPU.items() if name != key})


def test_wheels_are_for_listed_pythons_or_any() -> None:
    for pythons in (["3.12"], "any"):
        assert schema.WheelRow.read({"platform": "linux-x86_64", "pythons": pythons}).pythons == pythons
    with pytest.raises(RowError):
        schema.WheelRow.read({"platform": "linux-x86_64", "pythons": "3.12"})
