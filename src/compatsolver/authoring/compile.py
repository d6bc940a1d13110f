"""From tables to the one file the program reads: candidates laid out, rules made, sources numbered, bytes hashed."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from compatsolver.authoring.lint import lint
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.pack import pack
from compatsolver.authoring.references import References
from compatsolver.authoring.remarks import remarks
from compatsolver.authoring.rows import plain
from compatsolver.authoring.rules.architectures import architecture_rules
from compatsolver.authoring.rules.beyond import beyond_rules
from compatsolver.authoring.rules.binaries import binary_rules
from compatsolver.authoring.rules.builds import build_rules
from compatsolver.authoring.rules.extensions import PREBUILT, RUNS_ON, extension_rules
from compatsolver.authoring.rules.hosts import host_rules
from compatsolver.authoring.rules.libraries import library_rules, pair_id
from compatsolver.authoring.rules.wheels import wheel_rules
from compatsolver.authoring.universe import TorchBuild, Universe, universe_of
from compatsolver.catalog.catalogue import BUILDS, Catalog
from compatsolver.catalog.gpus import names_read
from compatsolver.catalog.load import CLAUSES, RULES, SCHEMA
from compatsolver.catalog.sections import seal
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from compatsolver.authoring.schema import AliasRow, Tables
    from compatsolver.authoring.schema_models import ModelRow
    from compatsolver.model.component import Candidate
    from compatsolver.model.rule import Rule


def compile_directory(matrices: Path) -> bytes:
    """Load, lint and compile a directory of tables; raises CatalogError with every problem found."""
    tables = load_tables(matrices)
    problems = lint(tables)
    if problems:
        raise CatalogError(
            f"{len(problems)} problems in {matrices}: no catalogue was written",
            problems=tuple(str(problem) for problem in problems),
        )
    return seal(payload_of(tables) | {"tables": pack(tables)})


def payload_of(tables: Tables) -> dict[str, Any]:
    """The contents of a catalogue file as plain lists and strings; `catalog.load` is the reader."""
    universe = universe_of(tables)
    references = References(tables.sources)
    payload = {
        "schema": SCHEMA,
        "version": tables.horizon.strftime("%Y.%m.%d"),
        "horizon": tables.horizon.isoformat(),
        "components": [_component(universe, name) for name in universe.components],
        **_rules(tables, universe, references),
        **_builds(universe, references),
        "releases": {name: [_release(row, references) for row in rows] for name, rows in universe.releases.items()},
        "requires": {
            name: sorted({required for row in rows for required in row.requires})
            for name, rows in universe.releases.items()
        },
        "rows": _rows(tables),
        "extras": _extras(universe),
        "reasons": _reasons(universe),
        "remarks": remarks(tables, universe),
        "released": {release.version: release.released and release.released.isoformat() for release in tables.torch},
        "absent": sorted(_absent(tables)),
        "incomplete": [release.version for release in tables.torch if not release.complete],
        "branches": [
            [row.branch, row.first_major, row.below_major, row.max_cuda]
            for row in sorted(tables.branches, key=lambda row: -row.first_major)
        ],
        "architectures": {row.compute_capability: row.architecture for row in tables.capabilities},
        **_gpus(tables),
        "models": [_model(row) for row in tables.models],
        "paired": {row.name: row.paired_with for row in tables.components if row.paired_with},
        "built_beside": {row.name: row.built_beside for row in tables.components if row.built_beside},
        "aliases": {name: _alias(row) for name, row in sorted(tables.aliases.items())},
        "diagnosis": _diagnosis(tables, universe, references),
        "profiles": {name: [row.packages, row.why] for name, row in sorted(tables.profiles.items())},
    }
    return payload | {"sources": references.rows()}


def _model(row: ModelRow) -> dict[str, Any]:
    """The keys of a `config.json`, under the name that people give."""
    columns: dict[str, Any] = plain(row)
    return {key: columns[key] for key in columns if key not in ("evidence", "sources", "notes")}


def _gpus(tables: Tables) -> dict[str, Any]:
    """The names of GPUs, and what the products' names mean."""
    payload: dict[str, Any] = {
        "gpus": [[row.name, row.compute_capability, row.platform] for row in tables.products],
        "nvidia_smi_names": [[row.name, row.compute_capability, row.platform] for row in tables.nvidia_smi_names],
        "gpu_memory": {row.name: row.memory_gib for row in tables.products if row.memory_gib is not None},
        "vendors": [[row.vendor, row.pattern, row.index_family] for row in tables.other_vendors],
    }
    names = Catalog("", "", "", components={}, rules_by_library={}, payload=payload)
    return payload | {"gpu_names": {name: list(read) for name, read in names_read(names).items()}}


def _alias(row: AliasRow) -> list[str]:
    """Component, why, and where only some runtimes are meant a specifier on them."""
    if row.cuda is None:
        return [row.component, row.why]
    ends = ((">=", row.cuda.at_least), (">", row.cuda.above), ("<=", row.cuda.at_most), ("<", row.cuda.below))
    return [row.component, row.why, ",".join(f"{operator}{end}" for operator, end in ends if end)]


DIAGNOSIS = ("symptoms", "kinds", "compilers", "nccl_symbols", "archive", "traits")
"""Columns of the tables that only diagnosis reads."""


def _diagnosis(tables: Tables, universe: Universe, references: References) -> dict[str, Any]:
    """What only diagnosis reads."""
    rows: dict[str, Any] = {
        column: [_plain(row, references) for row in getattr(tables, column)] for column in DIAGNOSIS
    }
    beyond = list(beyond_rules(tables, universe, references))
    rows["rules"] = [[_clause(rule) for rule in beyond], [_facts(rule) for rule in beyond]]
    rows["toolkits"] = [[row.version, row.driver.linux, row.driver.windows] for row in tables.toolkits]
    rows["capabilities"] = [
        [row.compute_capability, row.first_toolkit, row.last_toolkit, row.first_accelerated]
        for row in tables.capabilities
    ]
    rows["same_as"] = {row.compute_capability: row.same_as for row in tables.capabilities if row.same_as}
    rows["islands"] = [row.compute_capability for row in tables.capabilities if row.island]
    return rows


def _plain(row: Any, references: References) -> dict[str, Any]:
    """A row without the keys that say nothing, its sources as positions."""
    columns: dict[str, Any] = plain(row)
    return columns | {"sources": list(references.positions(row.sources))}


def _rules(tables: Tables, universe: Universe, references: References) -> dict[str, list[Any]]:
    """Clauses and facts, each in one section per library and one for the rest."""
    rules = [
        *host_rules(tables, universe, references),
        *architecture_rules(tables, universe, references),
        *build_rules(universe),
        *wheel_rules(universe),
        *library_rules(universe, references),
        *binary_rules(tables, universe, references),
        *extension_rules(universe, references),
    ]
    sections: dict[str, list[Any]] = {}
    for rule in rules:
        if not _says_nothing(rule, universe):
            sections.setdefault(CLAUSES + _library(rule), []).append(_clause(rule))
            sections.setdefault(RULES + _library(rule), []).append(_facts(rule))
    return sections


def _library(rule: Rule) -> str:
    """The library whose table a rule is from, or nothing."""
    if rule.field in ("requires", "works_with", "binaries", PREBUILT, RUNS_ON):
        return rule.literals[0].component
    return rule.literals[-1].component if rule.field == "wheels" else ""


def _absent(tables: Tables) -> set[str]:
    """Builds that sources say are on no platform, as `2.15.0+cu126`."""
    listed = [(f"{release.version}+{row.build}", row.published) for release in tables.torch for row in release.builds]
    return {name for name, _ in listed} - {name for name, published in listed if published != "no"}


def _rows(tables: Tables) -> dict[str, int]:
    """Table → how many rows it has; torch counts builds, libraries their releases, measured its wheels."""
    nested = {
        "torch": sum(len(release.builds) for release in tables.torch),
        "libraries": sum(len(releases) for releases in tables.libraries.values()),
        "measured": sum(len(wheels) for wheels in tables.measured.values()),
    }
    lists = {column.name: getattr(tables, column.name) for column in fields(tables)}
    counted = {name: len(rows) for name, rows in lists.items() if isinstance(rows, (list, dict)) and name != "places"}
    return counted | nested


def _extras(universe: Universe) -> dict[str, dict[str, list[str]]]:
    """Package → extra → what it adds to the requirements of some release."""
    added: dict[str, dict[str, list[str]]] = {}
    for name, rows in universe.releases.items():
        for extra in sorted({extra for row in rows for extra in row.extras}):
            required = {package for row in rows for package in row.extras.get(extra, ())}
            added.setdefault(name, {})[extra] = sorted(required)
    return added


def _reasons(universe: Universe) -> dict[str, str]:
    """Rule of a pair → why it is one."""
    releases = [(name, release) for name, rows in universe.releases.items() for release in rows]
    return {pair_id(name, row): row.why for name, release in releases for row in release.works_with}


def _says_nothing(rule: Rule, universe: Universe) -> bool:
    """Whether a rule holds whatever is chosen, because one of its literals does."""
    return any(literal.allowed == universe.everything(literal.component) for literal in rule.literals)


def _component(universe: Universe, name: str) -> list[Any]:
    component = universe.components[name]
    stored = [_candidate(candidate) for candidate in component.candidates]
    return [name, component.title, component.kind, component.family.value, stored]


def _candidate(candidate: Candidate) -> str | list[str | None]:
    if candidate.build is None:
        return candidate.version
    return [candidate.version, candidate.build, candidate.platform]


def _clause(rule: Rule) -> list[Any]:
    return [rule.id, rule.extra, [[literal.component, f"{literal.allowed:x}"] for literal in rule.literals]]


def _facts(rule: Rule) -> list[Any]:
    unknown = rule.unknown and [rule.unknown.fact, rule.unknown.why, rule.unknown.how]
    return [rule.kind.value, rule.evidence, rule.field, list(rule.sources), unknown, rule.avoid]


def _builds(universe: Universe, references: References) -> dict[str, list[Any]]:
    """One section per release of torch."""
    sections: dict[str, list[Any]] = {}
    for candidate, build in zip(universe.components["torch"].candidates, universe.builds, strict=True):
        sections.setdefault(BUILDS + candidate.version, []).append(_build(build, references))
    return sections


def _build(build: TorchBuild, references: References) -> list[Any]:
    row, archs = build.row, build.row.archs
    evidence = dict(row.evidence) | ({"archs": archs.evidence} if archs else {})
    return [
        row.published,
        row.default_index,
        row.index,
        row.cuda,
        row.cudnn,
        row.nccl,
        row.triton,
        row.glibc,
        row.pythons or [],
        archs and archs.sass,
        archs and archs.ptx,
        evidence,
        list(references.positions(row.sources)),
        list(references.positions(archs.sources)) if archs else [],
        _distinct([*row.notes, *(archs.notes if archs else [])]),
    ]


def _release(row: Any, references: References) -> list[Any]:
    return [
        row.released and row.released.isoformat(),
        row.yanked,
        dict(row.requires),
        row.evidence,
        list(references.positions(row.sources)),
        list(row.notes),
    ]


def _distinct(notes: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(notes))
