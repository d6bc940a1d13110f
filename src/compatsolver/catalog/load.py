"""Read the compiled catalogue: one file, its hash checked before anything in it is believed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

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


Stored = TypeVar("Stored")
Value = TypeVar("Value")
_MISSHAPEN = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What comes of decoding text that is no JSON, or JSON of another shape than it should have."""


def seal(payload: Mapping[str, Any]) -> bytes:
    """The bytes of a catalogue file: the SHA-256 of all that follows, the sections' lengths, the sections; all JSON."""
    sections = {name: _compact(section).encode() for name, section in payload.items()}
    lengths = _compact({name: len(section) for name, section in sections.items()}).encode()
    body = b"\n".join([lengths, *sections.values()])
    return _compact({"digest": hashlib.sha256(body).hexdigest()}).encode() + b"\n" + body


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
    with open(path, "rb") as file:
        return read(file.read(), path)


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
    """Check and decode a catalogue file; raises CatalogError naming `name` where it is damaged."""
    start = data.find(b"\n") + 1
    digest = hashlib.sha256(memoryview(data)[start:]).hexdigest()
    if data[: start - 1] != _compact({"digest": digest}).encode():
        raise CatalogError(
            f"{name}: the catalogue file is damaged: its contents do not have the hash it states",
            hint="reinstall compatsolver, or in a source checkout run: " + COMPILE,
        )
    return _guarded(partial(_decoded, start=start, name=name, digest=digest), name)(data)


def _decoded(data: bytes, start: int, name: str, digest: str) -> Catalog:
    """The catalogue whose lengths and sections begin at `start`; most sections are never looked at, nor copied."""
    end = data.index(b"\n", start)
    places: dict[str, slice] = {}
    for section, length in json.loads(data[start:end]).items():
        places[section] = slice(end + 1, end + 1 + length)
        end += 1 + length
    payload = OnDemand(places, _guarded(lambda place: json.loads(data[place]), name))
    if payload.get("schema") != SCHEMA:
        raise CatalogError(
            f"{name}: catalogue schema {payload.get('schema')!r} is not {SCHEMA!r}",
            hint="use a catalogue and a compatsolver of the same major version",
        )
    return Catalog(
        version=payload["version"],
        digest=digest,
        horizon=payload["horizon"],
        components=OnDemand({row[0]: row for row in payload["components"]}, _guarded(_component, name)),
        rules_by_library=OnDemand(
            {section.removeprefix(RULES): section for section in payload if section.startswith(RULES)},
            _guarded(lambda section: tuple(map(rule_of, payload[section])), name),
        ),
        payload=payload,
    )


def _guarded(decode: Callable[[Stored], Value], name: str) -> Callable[[Stored], Value]:
    """`decode`, with a CatalogError naming the file where what is stored has another shape."""

    def guarded(stored: Stored) -> Value:
        try:
            return decode(stored)
        except _MISSHAPEN as error:
            raise CatalogError(
                f"{name}: the catalogue file has the hash it states, and is no catalogue: {error}",
                hint="compile it again from its tables, or leave it out for the bundled one",
            ) from None

    return guarded


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
