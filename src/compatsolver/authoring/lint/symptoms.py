"""Symptoms can be matched: patterns compile and find their examples, names and kinds exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.rows import plain
from compatsolver.explanation.diagnosis.lookups import BY_PLATFORM, LOOKUPS
from compatsolver.explanation.diagnosis.names import places
from compatsolver.explanation.diagnosis.parts import OF_TEXT
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import Tables
    from compatsolver.authoring.schema_symptoms import KindRow, SymptomRow

_GAP = re.compile(r"<[a-z ]+>")
PARTS = frozenset((*OF_TEXT, *LOOKUPS, *BY_PLATFORM))


def pattern_compiles(tables: Tables) -> Iterator[Finding]:
    """A pattern is a regular expression; one that is not would stop every diagnosis."""
    for row in _symptoms(tables):
        for pattern in (row.pattern, *(condition.matches for condition in row.when if condition.matches)):
            try:
                re.compile(pattern, re.IGNORECASE)
            except re.error as error:
                yield Finding(row, f"{row.name}: {pattern!r} is no regular expression: {error}", "mend the pattern")


def example_matches(tables: Tables) -> Iterator[Finding]:
    """Every example holds a mark and matches the pattern: they are what the pattern was written for."""
    for row in _symptoms(tables):
        for text in row.examples:
            if not any(mark in text.lower() for mark in row.marks):
                yield Finding(row, f"{row.name}: no mark occurs in {text[:40]!r}", "add one in lower case to `marks`")
            elif not _found(row.pattern, text):
                yield Finding(row, f"{row.name}: the pattern does not match {text[:40]!r}", "mend one of the two")


def kind_described(tables: Tables) -> Iterator[Finding]:
    """Every kind that a rule, a symptom or another kind names has its page."""
    known = {row.kind for row in _kinds(tables)}
    if not known:
        return
    for row in _symptoms(tables):
        for kind in (row.kind, *row.suggests):
            if kind is not None and kind not in known:
                yield Finding(
                    row, f"{row.name}: the kind {kind!r} is not in kinds.yaml", "add it there, or mend the name"
                )
    for page in _kinds(tables):
        for kind in page.explains:
            if kind not in known:
                yield Finding(page, f"{page.kind} explains {kind!r}, which is no kind", "mend the name")
    missing = sorted({kind.value for kind in Kind} - known)
    if missing:
        yield Finding(_kinds(tables)[0], f"rules have kinds without a page: {', '.join(missing)}", "describe them")


def part_known(tables: Tables) -> Iterator[Finding]:
    """A template asks only for parts that values have."""
    for row in _symptoms(tables):
        for template in _templates(plain(row)):
            for _, parts in places(template):
                for part in parts:
                    if part not in PARTS:
                        yield Finding(
                            row, f"{row.name}: there is no part {part!r}", f"use one of {', '.join(sorted(PARTS))}"
                        )


def symptom_acts(tables: Tables) -> Iterator[Finding]:
    """A symptom that proves nothing asks for what would decide; one that proves a fault offers a fix."""
    for row in _symptoms(tables):
        if row.kind is None and not row.asks:
            yield Finding(row, f"{row.name} proves nothing and asks nothing", "add `asks`, or a `kind`")
        if row.kind is not None and not row.fixes:
            yield Finding(row, f"{row.name} offers no fix", "add `fixes`")


def command_runs(tables: Tables) -> Iterator[Finding]:
    """A command is printed to be run: it has no gaps for the reader to fill."""
    for row in _symptoms(tables):
        texts = [text for fix in row.fixes for text in _templates(plain(fix).get("command"))]
        for text in (*texts, *(question.how for question in row.asks)):
            if "…" in text or _GAP.search(text):
                yield Finding(row, f"{row.name}: {text[:60]!r} has a gap in it", "say it in words, in `action`")


def _symptoms(tables: Tables) -> list[SymptomRow]:
    return tables.symptoms


def _kinds(tables: Tables) -> list[KindRow]:
    return tables.kinds


def _found(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text, re.IGNORECASE) is not None
    except re.error:
        return True


def _templates(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inside in value.items():
            if key not in ("pattern", "matches", "examples", "marks"):
                yield from _templates(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _templates(inside)


LINTS: tuple[Lint, ...] = (pattern_compiles, example_matches, kind_described, part_known, symptom_acts, command_runs)
