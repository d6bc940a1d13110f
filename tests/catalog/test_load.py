"""Catalogue files: what is damaged is refused, and so is a sound hash over a body that is none of ours."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import compatsolver
from compatsolver.catalog.digest import digest_of
from compatsolver.catalog.load import BUNDLED, SCHEMA, bundled, read
from compatsolver.catalog.sections import seal, unseal
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog


def sealed(index: bytes, *sections: bytes) -> bytes:
    """A file whose first line states the hash of its second."""
    stated = json.dumps({"digest": sha256(index).hexdigest()}, separators=(",", ":")).encode()
    return b"\n".join([stated, index, *sections])


def with_section(name: str, stored: bytes) -> bytes:
    """The bundled catalogue with other text in one section, and the hashes of that."""
    _, index, *lines = Path(BUNDLED).read_bytes().split(b"\n")
    sections = dict(zip(json.loads(index), lines, strict=True)) | {name: stored}
    entries = {name: [len(section), sha256(section).hexdigest()] for name, section in sections.items()}
    return sealed(json.dumps(entries).encode(), *sections.values())


STATED = [len(json.dumps(SCHEMA)), sha256(json.dumps(SCHEMA).encode()).hexdigest()]


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"no JSON",
        b"\xff\xfe",
        b"7",
        b"{}",
        b'["schema", "version"]',
        b'{"schema": 26}',
        b'{"schema": ["26", "00"]}',
        json.dumps({"schema": STATED}).encode(),
        json.dumps({"schema": STATED, "version": [1, ""]}).encode(),
        b"[" * 100_000,
    ],
)
@pytest.mark.parametrize("sections", [(), (json.dumps(SCHEMA).encode(),)], ids=["bare", "schema"])
def test_a_body_that_is_no_catalogue_is_a_fault_of_the_file(index: bytes, sections: tuple[bytes, ...]) -> None:
    with pytest.raises(CatalogError, match=r"mine\.jsonl"):
        read(sealed(index, *sections), "mine.jsonl")


@given(st.data())
def test_no_byte_of_a_file_can_be_another(data: st.DataObject) -> None:
    sound = seal({"schema": SCHEMA, "version": "1", "horizon": "2020-01-31", "components": []})
    place = data.draw(st.integers(0, len(sound) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != sound[place]))
    with pytest.raises(CatalogError, match=r"mine\.jsonl"):
        read(sound[:place] + bytes([other]) + sound[place + 1 :], "mine.jsonl")


def test_a_section_is_checked_before_it_is_decoded() -> None:
    sound = Path(BUNDLED).read_bytes()
    damaged = sound.replace(b'"gpu-first-driver/', b'"gpu-first-driver-', 1)
    assert damaged != sound
    digest, payload = unseal(damaged, "mine.jsonl")
    assert digest == bundled().digest
    assert payload["horizon"] == bundled().horizon
    with pytest.raises(CatalogError, match="damaged"):
        payload["clauses/"]


@given(st.binary(max_size=300))
def test_the_hash_is_sha_256(data: bytes) -> None:
    assert digest_of(data) == sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("section", "stored", "use"),
    [
        ("builds/2.6.0", b'{"cut":', lambda catalog: catalog.builds),
        ("rules/", b'{"cut":', lambda catalog: catalog.rules),
        ("clauses/", b'{"cut":', lambda catalog: catalog.rules),
        ("clauses/", b'[["torch", 1]]', lambda catalog: catalog.rules),
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
