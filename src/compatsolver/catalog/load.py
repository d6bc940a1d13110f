"""Read the compiled catalogue: one file, checked before anything in it is believed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from compatsolver.catalog.catalogue import Catalog
from compatsolver.errors import CatalogError, InputError
from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.rule import Kind, Literal, Rule, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SCHEMA = "compatsolver.catalogue/1"
RULES = "rules/"
"""What the names of the sections with rules begin with; the library whose table the rules are from follows."""

# Not pathlib: its import alone takes as long as reading the catalogue.
BUNDLED = os.path.join(os.path.dirname(__file__), "catalog.jsonl")
MATRICES = os.path.abspath(os.path.join(__file__, "..", "..", "..", "..", "data", "matrices"))
COMPILE = "python -m compatsolver catalog compile"

_KINDS = {kind.value: kind for kind in Kind}


Value = TypeVar("Value")


def seal(payload: Mapping[str, Any]) -> bytes:
    """The bytes of a catalogue file: SHA-256 and CRC-32 of all that follows, lengths of the sections, the sections."""
    import hashlib

    sections = {name: _compact(section).encode() for name, section in payload.items()}
    lengths = _compact({name: len(section) for name, section in sections.items()}).encode()
    body = b"\n".join([lengths, *sections.values()])
    return _compact({"digest": hashlib.sha256(body).hexdigest(), "checksum": crc32(body)}).encode() + b"\n" + body


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class OnDemand(Mapping[str, Value]):
    """Stored values by name, each decoded when it is first asked for: no question needs them all."""

    def __init__(self, stored: Mapping[str, Any], decode: Callable[[Any], Value]) -> None:
        self._stored = stored
        self._decode = decode
        self._decoded: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._decoded:
            self._decoded[name] = self._decode(self._stored[name])
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


def bundled() -> Catalog:
    """The catalogue shipped with this installation, read once per process and per version of the file.

    Raises CatalogError where it is absent, damaged, or (in a source checkout) older than the YAML it is made from.
    """
    try:
        modified = os.stat(BUNDLED).st_mtime_ns
    except OSError:
        raise CatalogError("there is no compiled catalogue in this checkout", hint=f"run: {COMPILE}") from None
    _refuse_stale(modified)
    return _read_once(BUNDLED, modified)


@lru_cache(maxsize=4)
def _read_once(path: str, modified: int) -> Catalog:
    """What was installed was checked by its hash then; a checksum tells whether it was cut short or damaged since.

    hashlib would double what the whole of this takes, because it loads OpenSSL.
    """
    with open(path, "rb") as file:
        data = file.read()
    header, body = _opened(data, path)
    if header["checksum"] != crc32(memoryview(data)[body:]):
        raise _damaged(path)
    return _decoded(data, body, header["digest"], path)


def open_catalog(path: str | Path) -> Catalog:
    """A compiled catalogue that the user names; raises InputError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(
            f"{path}: the catalogue cannot be read: {error.strerror}",
            hint="name a compiled catalogue (--catalog, COMPATSOLVER_CATALOG), or leave it out for the bundled one",
        ) from None
    return read(data, str(path))


def read(data: bytes, name: str) -> Catalog:
    """Check a catalogue file by the hash it states and decode it; raises CatalogError naming `name`."""
    import hashlib

    header, body = _opened(data, name)
    if header["digest"] != hashlib.sha256(memoryview(data)[body:]).hexdigest():
        raise _damaged(name)
    return _decoded(data, body, header["digest"], name)


def _opened(data: bytes, name: str) -> tuple[dict[str, Any], int]:
    """The first line, and where the rest begins."""
    end = data.find(b"\n")
    try:
        header = json.loads(data[:end])
    except ValueError:
        raise _damaged(name) from None
    if not isinstance(header, dict) or header.keys() != {"digest", "checksum"}:
        raise _damaged(name)
    return header, end + 1


def _damaged(name: str) -> CatalogError:
    return CatalogError(
        f"{name}: the catalogue file is damaged: its contents do not have the hash it states",
        hint="reinstall compatsolver, or in a source checkout run: " + COMPILE,
    )


def _decoded(data: bytes, body: int, digest: str, name: str) -> Catalog:
    start = data.index(b"\n", body) + 1
    places: dict[str, slice] = {}
    for section, length in json.loads(data[body:start]).items():
        places[section] = slice(start, start + length)
        start += length + 1
    payload = OnDemand(places, lambda place: json.loads(data[place]))
    if payload.get("schema") != SCHEMA:
        raise CatalogError(
            f"{name}: catalogue schema {payload.get('schema')!r} is not {SCHEMA!r}",
            hint="use a catalogue and a compatsolver of the same major version",
        )
    return Catalog(
        version=payload["version"],
        digest=digest,
        horizon=payload["horizon"],
        components=OnDemand({row[0]: row for row in payload["components"]}, _component),
        rules_by_library=OnDemand(
            {name.removeprefix(RULES): name for name in payload if name.startswith(RULES)},
            lambda section: tuple(map(rule_of, payload[section])),
        ),
        payload=payload,
    )


def _component(row: list[Any]) -> Component:
    name, title, kind, family, candidates = row
    return Component(
        name=name,
        title=title,
        kind=kind,
        family=Family(family),
        candidates=tuple(Candidate(*entry) if isinstance(entry, list) else Candidate(entry) for entry in candidates),
    )


def rule_of(row: list[Any]) -> Rule:
    """A rule in its stored form, as a value."""
    identifier, kind, evidence, column, sources, literals, unknown, avoid, extra = row
    return Rule(
        identifier,
        _KINDS[kind],
        tuple([Literal(component, int(allowed, 16)) for component, allowed in literals]),
        evidence,
        tuple(sources),
        column,
        Unknown(*unknown) if unknown else None,
        avoid,
        extra,
    )


def _refuse_stale(compiled: int) -> None:
    if not os.path.isdir(MATRICES):
        return
    pending = [MATRICES]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    pending.append(entry.path)
                elif entry.name.endswith(".yaml") and entry.stat().st_mtime_ns > compiled:
                    raise CatalogError(f"the compiled catalogue is older than {entry.name}", hint=f"run: {COMPILE}")
