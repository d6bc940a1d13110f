"""What notices that a fact is wrong: a lint, which holds it to other facts and to the wheels, or a case.

A case is a scenario or an incident, whose expectation somebody wrote by hand. A digest, a golden text and the tests of
the code do not count: only what knows the facts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import yaml

from compatsolver.authoring.compile import payload_of
from compatsolver.authoring.lint import (
    binaries,
    gpus,
    hardware,
    issues,
    libraries,
    measured,
    order,
    pairs,
    series,
    siblings,
    torch,
    versions,
)
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.pack import read_tables
from compatsolver.authoring.rows import plain
from compatsolver.catalog.load import decoded
from compatsolver.errors import CompatError
from compatsolver.explanation.diagnosis.entrance import explain_given
from compatsolver.model.diagnosis import COMPATIBLE, ERROR, INCOMPATIBLE, UNDETERMINED
from compatsolver.observation.environment import read_environment
from scenario import WrongAnswerError, ask, differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from shifts import Tables

    from compatsolver.catalog.catalogue import Catalog

TESTS = Path(__file__).parents[1]
LINT, CASE, SILENT, NOTHING = "lint", "case", "silent", "nothing"
"""`silent`: the rules of the catalogue are the same, so no plan can be another; what is told of a row may be."""

PLANNED = (
    "components",
    "clauses/",
    "rules/",
    "gpu",
    "nvidia_smi_names",
    "vendors",
    "branches",
    "diagnosis",
    "models",
    "aliases",
)
"""What the names of the sections begin with that answers are made from; the others tell of rows."""

CHECKS = tuple(
    check
    for lints in (
        versions,
        series,
        siblings,
        measured,
        pairs,
        libraries,
        torch,
        binaries,
        hardware,
        gpus,
        order,
        issues,
    )
    for check in lints.LINTS
)
"""Lints, those that notice most first; the others are on words, which are not shifted."""

Sections = dict[str, str]
"""A catalogue's sections as JSON."""


class Case(NamedTuple):
    """A question with the answer that is expected of any catalogue that is right."""

    name: str
    is_right: Callable[[Catalog], bool]


class Traced(NamedTuple):
    """A case, the sections that it reads, and how long it took, in seconds."""

    case: Case
    sections: frozenset[str]
    seconds: float


class Verdict(NamedTuple):
    """Who notices a wrong fact, and the name of the lint or the case."""

    who: str
    name: str | None = None


class Reading(Mapping[str, Any]):
    """The sections of a catalogue, each decoded when it is asked for, and its tables; `asked` remembers which were."""

    def __init__(self, sections: Sections, tables: Tables) -> None:
        self._sections = sections
        self._decoded: dict[str, Any] = {}
        self.asked: set[str] = set()
        self.tables = Rows(tables, self.asked)

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        if name not in self._decoded:
            self._decoded[name] = json.loads(self._sections[name])
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)


class Rows(Mapping[str, Any]):
    """The tables that a catalogue carries; which were asked for is added to a set as `tables/torch`."""

    def __init__(self, tables: Tables, asked: set[str]) -> None:
        self._tables = tables
        self._asked = asked

    def __getitem__(self, name: str) -> Any:
        self._asked.add(f"tables/{name}")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def written_tables(matrices: Path) -> Tables:
    """The tables of a directory as they are written, what was measured among them."""
    tables = load_tables(matrices)
    return {column.name: plain(getattr(tables, column.name)) for column in fields(tables) if column.name != "places"}


def sections_of(tables: Any) -> Sections:
    """What a catalogue of these tables holds."""
    return {name: json.dumps(section) for name, section in payload_of(tables).items()}


def notices(mutant: Tables, table: str, sections: Sections, cases: Sequence[Traced]) -> Verdict:
    """Who notices that one of the tables is wrong; `sections` are those of the right tables."""
    try:
        tables = read_tables(mutant)
    except CompatError:
        return Verdict(LINT, "schema")
    for check in CHECKS:
        if any(True for _ in check(tables)):
            return Verdict(LINT, check.__name__.replace("_", "-"))
    found = sections_of(tables)
    changed = {name for name in sections.keys() | found.keys() if sections.get(name) != found.get(name)}
    catalog = decoded("", Reading(found, mutant), "mutant")
    for traced in cases:
        if (
            traced.sections & {*changed, f"tables/{table}"} or sections.keys() != found.keys()
        ) and not traced.case.is_right(catalog):
            return Verdict(CASE, traced.case.name)
    return Verdict(NOTHING if any(name.startswith(PLANNED) for name in changed) else SILENT)


def traced_cases(sections: Sections, tables: Tables) -> list[Traced]:
    """Every case that is right, with what it reads of the catalogue, the quickest first."""
    found = [traced for case in cases() if (traced := _trace(case, sections, tables))]
    return sorted(found, key=lambda traced: traced.seconds)


def cases() -> Iterator[Case]:
    """The scenarios and incidents whose answer is known to be right today."""
    for path in sorted((TESTS / "scenarios").rglob("*.yaml")):
        for scenario in yaml.safe_load(path.read_text(encoding="utf-8")):
            if "xfail" not in scenario:
                yield Case(f"{path.stem}: {scenario['name']}", partial(_is_answered, scenario))
    for path in sorted((TESTS / "cases/incidents").glob("*.yaml")):
        for number, incident in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), start=1):
            yield Case(f"incidents/{path.stem} {number}", partial(_is_explained, path.stem, incident))


def _trace(case: Case, sections: Sections, tables: Tables) -> Traced | None:
    reading = Reading(sections, tables)
    started = time.perf_counter()
    is_right = case.is_right(decoded("", reading, "today"))
    seconds = time.perf_counter() - started
    return Traced(case, frozenset(reading.asked), seconds) if is_right else None


def _is_answered(scenario: dict[str, Any], catalog: Catalog) -> bool:
    rows = patch("compatsolver.records.book.tables_of", side_effect=lambda catalog: catalog.payload.tables)
    with patch("compatsolver.reading.bundled", return_value=catalog), rows:
        try:
            return not any(differences(scenario["expect"], ask(scenario["request"])))
        except WrongAnswerError:
            return False


def _is_explained(group: str, incident: dict[str, Any], catalog: Catalog) -> bool:
    """Whether an incident is traced to its kind; those in `sound` and `open` have none."""
    described = incident.get("environment")
    environment = described and read_environment(yaml.safe_dump(described, allow_unicode=True), "environment")
    diagnosis = explain_given(catalog, incident["text"], environment)
    kinds = [finding.kind for finding in diagnosis.findings if finding.severity == ERROR]
    if group in ("sound", "open"):
        return not kinds and diagnosis.verdict == (COMPATIBLE if group == "sound" else UNDETERMINED)
    told = json.dumps(diagnosis.to_dict()["findings"], ensure_ascii=False).lower()
    mentioned = all(text.lower() in told for text in incident.get("mentions", ()))
    return diagnosis.verdict == INCOMPATIBLE and all(kind in incident["kinds"] for kind in kinds) and mentioned
