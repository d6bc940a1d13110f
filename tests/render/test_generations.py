"""Generations and what a sync came to, as text and as documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from compatsolver.model.generation import Generation, Generations, Proof, Synced
from compatsolver.render.generations_text import generations_text, synced_text
from process import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = Generation(
    number=6,
    folder="6-0a1b2c3d",
    environment="/home/me/project/.venv",
    made="2026-10-02T07:31:12Z",
    lock={"file": "pylock.toml", "digest": "5e1f" * 16},
    python="3.12.3",
    asked_python=None,
    installer="uv",
    packages={"peft": "0.17.1", "torch": "2.9.1+cu128"},
    proof=Proof("full", "cuda", True, ("identity", "devices", "matmul-fp32", "lora"), ()),
)
ON_CPU = Proof("quick", "cpu", False, ("identity", "devices", "matmul-fp32", "convolution"), ("lora",))
NEW = OLD._replace(number=7, folder="7-4e5f6071", made="2026-11-30T18:05:00Z", installer="pip", proof=ON_CPU)
PLAIN = OLD._replace(number=8, folder="8-a", packages={"numpy": "2.4.0"}, proof=Proof("quick", passed=("imports",)))
BARE = OLD._replace(number=10, folder="10-b", python=None, proof=Proof())
LISTING = Generations("/home/me/project/.venv", 7, (BARE, PLAIN, NEW, OLD))
NOTES = (
    "what an interrupted run left behind was removed",
    "generation 5 was changed since: peft is 0.18.0, was 0.17.1",
)
DONE = {
    "sync-built": Synced(OLD.environment, "built", NEW, 6, 3_100_000_000, 6_240_000_000, (3, 4), NOTES),
    "sync-switched": Synced(OLD.environment, "switched", OLD, 7),
    "sync-unchanged": Synced(OLD.environment, "unchanged", PLAIN, 8),
}


@pytest.mark.parametrize("name", DONE)
def test_text_of_a_sync_is_the_golden_one(name: str, golden: Callable[[str, str], str]) -> None:
    written = synced_text(DONE[name])
    assert written == golden(f"{name}.txt", written)
    assert max(map(len, written.splitlines())) <= 80


def test_text_of_the_list_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    written = generations_text(LISTING)
    assert written == golden("generations.txt", written)
    assert max(map(len, written.splitlines())) <= 80


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("generations", LISTING),
        ("generations", LISTING._replace(active=None)),
        *(("sync", done) for done in DONE.values()),
    ],
)
def test_documents_follow_their_schemas(name: str, document: Generations | Synced) -> None:
    schema = json.loads((ROOT / f"docs/schema/{name}.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(json.loads(json.dumps(document.to_dict())))) == []
