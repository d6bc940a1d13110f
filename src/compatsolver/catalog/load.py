"""Read the compiled catalogue: the bundled one, or one that the user names."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.catalogue import Catalog
from compatsolver.catalog.rules import RuleTable, clauses_of, rules_of
from compatsolver.catalog.sections import COMPILE, OnDemand, guarded, unseal
from compatsolver.errors import CatalogError, InputError
from compatsolver.model.component import Candidate, Component, Family

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from compatsolver.model.rule import Rule

SCHEMA = "compatsolver.catalogue/2"
CLAUSES, RULES = "clauses/", "rules/"
"""What the names of the sections with rules begin with; the library whose table the rules are from follows."""

# Not pathlib: its import alone takes as long as reading the catalogue.
BUNDLED = os.path.join(os.path.dirname(__file__), "catalog.jsonl")
MATRICES = os.path.abspath(os.path.join(__file__, "..", "..", "..", "..", "data", "matrices"))


def bundled() -> Catalog:
    """The catalogue shipped with this installation, read once per process and per version of the file.

    Its sections are checked when they are asked for, which the answers to most questions do for a fifth of the file.
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
        return decoded(*unseal(file.read(), path), path)


def open_catalog(path: str | Path) -> Catalog:
    """A compiled catalogue that the user names; raises InputError and CatalogError."""
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
    """Check all of a catalogue file and decode it; raises CatalogError naming `name` where it is damaged."""
    digest, payload = unseal(data, name)
    for section in payload:
        payload[section]
    return decoded(digest, payload, name)


def decoded(digest: str, payload: Mapping[str, Any], name: str) -> Catalog:
    """The catalogue that some sections are; raises CatalogError naming `name` where they are none."""
    if payload.get("schema") != SCHEMA:
        raise CatalogError(
            f"{name}: catalogue schema {payload.get('schema')!r} is not {SCHEMA!r}",
            hint="use a catalogue and a compatsolver of the same major version",
        )
    return guarded(partial(_catalog, digest=digest, name=name), name)(payload)


def _catalog(payload: Mapping[str, Any], digest: str, name: str) -> Catalog:
    libraries = [section.removeprefix(CLAUSES) for section in payload if section.startswith(CLAUSES)]

    def table(library: str) -> RuleTable:
        clauses = clauses_of(payload[CLAUSES + library])

        def whole(section: str) -> tuple[Rule, ...]:
            return rules_of(clauses, payload[section])

        return RuleTable(clauses, partial(guarded(whole, name), RULES + library))

    return Catalog(
        version=payload["version"],
        digest=digest,
        horizon=payload["horizon"],
        components=OnDemand({row[0]: row for row in payload["components"]}, guarded(_component, name)),
        rules_by_library=OnDemand({library: library for library in libraries}, guarded(table, name)),
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
