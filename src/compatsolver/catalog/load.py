"""Read the compiled catalogue: one file, its hash checked before anything in it is believed."""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from compatsolver.catalog.catalogue import Catalog
from compatsolver.errors import CatalogError
from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.rule import Kind, Literal, Rule, Unknown

SCHEMA = "compatsolver.catalogue/1"
BUNDLED = Path(__file__).with_name("catalog.json")
MATRICES = Path(__file__).parents[3] / "data" / "matrices"
COMPILE = "python -m compatsolver catalog compile"

_HEAD = b'{"digest":"%s","payload":'
_HEAD_LENGTH = len(_HEAD % (b"0" * 64))
_TAIL = b"}\n"


def seal(payload: dict[str, Any]) -> bytes:
    """The bytes of a catalogue file: the payload as compact JSON behind the SHA-256 of exactly those bytes."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    return _HEAD % hashlib.sha256(body).hexdigest().encode() + body + _TAIL


def bundled() -> Catalog:
    """The catalogue shipped with this installation, read once per process and per version of the file.

    Raises CatalogError where it is absent, damaged, or (in a source checkout) older than the YAML it is made from.
    """
    try:
        modified = BUNDLED.stat().st_mtime_ns
    except OSError:
        raise CatalogError("there is no compiled catalogue in this checkout", hint=f"run: {COMPILE}") from None
    _refuse_stale(modified)
    return _read_once(BUNDLED, modified)


@lru_cache(maxsize=4)
def _read_once(path: Path, modified: int) -> Catalog:
    return read(path.read_bytes(), str(path))


def read(data: bytes, name: str) -> Catalog:
    """Check and decode a catalogue file; raises CatalogError naming `name` where it is damaged."""
    damaged = f"{name}: the catalogue file is damaged: "
    hint = "reinstall compatsolver, or in a source checkout run: " + COMPILE
    body, head = data[_HEAD_LENGTH : -len(_TAIL)], data[:_HEAD_LENGTH]
    digest = hashlib.sha256(body).hexdigest()
    if not data.endswith(_TAIL) or head != _HEAD % digest.encode():
        raise CatalogError(damaged + "its contents do not have the hash it states", hint=hint)
    payload = json.loads(body)
    if payload.get("schema") != SCHEMA:
        raise CatalogError(
            f"{name}: catalogue schema {payload.get('schema')!r} is not {SCHEMA!r}",
            hint="use a catalogue and a compatsolver of the same major version",
        )
    return Catalog(
        version=payload["version"],
        digest=digest,
        horizon=payload["horizon"],
        components={row[0]: _component(row) for row in payload["components"]},
        rules=tuple(rule_of(row) for row in payload["rules"]),
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
    identifier, kind, evidence, column, sources, literals, unknown = row
    return Rule(
        id=identifier,
        kind=Kind(kind),
        literals=tuple(Literal(component, int(allowed, 16)) for component, allowed in literals),
        evidence=evidence,
        sources=tuple(sources),
        field=column,
        unknown=Unknown(*unknown) if unknown else None,
    )


def _refuse_stale(compiled: int) -> None:
    if not MATRICES.is_dir():
        return
    pending = [MATRICES]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    pending.append(Path(entry.path))
                elif entry.name.endswith(".yaml") and entry.stat().st_mtime_ns > compiled:
                    raise CatalogError(f"the compiled catalogue is older than {entry.name}", hint=f"run: {COMPILE}")
