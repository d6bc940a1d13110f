"""Catalogue files with a sound hash over a body that is none of ours."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import compatsolver
from compatsolver.catalog.load import BUNDLED, SCHEMA, read
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog


def sealed(body: bytes) -> bytes:
    return json.dumps({"digest": hashlib.sha256(body).hexdigest()}, separators=(",", ":")).encode() + b"\n" + body


def with_section(name: str, stored: bytes) -> bytes:
    """The bundled catalogue with other text in one section."""
    _, lengths, *lines = Path(BUNDLED).read_bytes().split(b"\n")
    sections = dict(zip(json.loads(lengths), lines, strict=True)) | {name: stored}
    lengths = json.dumps({name: len(section) for name, section in sections.items()}).encode()
    return sealed(b"\n".join([lengths, *sections.values()]))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON\n",
        b"\xff\xfe",
        b"7\n",
        b"{}",
        b'["schema", "version"]\n1',
        b'{"schema": 26, "version": 1}\n' + json.dumps(SCHEMA).encode(),
        b'{"schema": 26}\n' + json.dumps(SCHEMA).encode(),
        b'{"schema": "26"}\n' + json.dumps(SCHEMA).encode(),
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_catalogue_is_a_fault_of_the_file(body: bytes) -> None:
    with pytest.raises(CatalogError, match=r"mine\.jsonl"):
        read(sealed(body), "mine.jsonl")


@pytest.mark.parametrize(
    ("section", "stored", "use"),
    [
        ("builds", b'{"cut":', lambda catalog: catalog.builds),
        ("rules/", b'{"cut":', lambda catalog: catalog.rules),
        ("rules/", b'[["torch", 1]]', lambda catalog: catalog.rules),
        ("components", b'{"cut":', lambda catalog: catalog.components["torch"]),
        ("components", b'[["torch", 1]]', lambda catalog: catalog.components["torch"]),
    ],
)
def test_a_broken_section_is_a_fault_of_the_file(section: str, stored: bytes, use: Callable[[Catalog], object]) -> None:
    with pytest.raises(CatalogError, match=r"mine\.jsonl"):
        use(read(with_section(section, stored), "mine.jsonl"))


def test_a_catalogue_may_be_named_by_text_or_path(tmp_path: Path) -> None:
    path = tmp_path / "catalog.jsonl"
    path.write_bytes(Path(BUNDLED).read_bytes())
    plans = [compatsolver.plan(gpu="T4", python="3.12", platform="linux-x86_64", catalog=p) for p in (path, str(path))]
    assert plans[0] == plans[1]
    assert plans[0].verdict == "resolved"
