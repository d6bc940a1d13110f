"""What libraries add to requirements: extras and `works_with` name components, can be met, and do not contradict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.rules.libraries import pair_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import LibraryRelease, Tables, WorksWithRow

_PIN = re.compile(r"==[\w.]+")


def extra_met(tables: Tables) -> Iterator[Finding]:
    """What an extra adds has a table and a release that satisfies it: else nobody can install the extra."""
    known = released(tables)
    for library, row in _rows(tables):
        for extra, added in row.extras.items():
            for name, text in added.items():
                wanted = f"{library}[{extra}] {row.version} adds {name} {text}"
                if name not in known:
                    yield Finding(row, f"{wanted}, which has no table", "correct the name, or add its table")
                elif not _met(text, known[name]):
                    yield Finding(row, f"{wanted}: no such release", "correct the specifier, or add the release")


def pair_met(tables: Tables) -> Iterator[Finding]:
    """What a release works with has a table; some release there satisfies it, unless only a part is missed."""
    known = released(tables)
    for library, row in _rows(tables):
        for pair in row.works_with:
            works = f"{library} {row.version} works with {pair.component} {pair.versions}"
            if pair.component not in known:
                yield Finding(pair, f"{works}, which has no table", "correct the name, or add its table")
            elif pair.severity == "error" and not _met(pair.versions, known[pair.component]):
                yield Finding(pair, f"{works}: no such release", "correct the specifier, or make it a warning")


def pairs_agree(tables: Tables) -> Iterator[Finding]:
    """The same pair means the same in every release: rows with equal versions become one rule."""
    first: dict[str, WorksWithRow] = {}
    for library, row in _rows(tables):
        for pair in row.works_with:
            other = first.setdefault(pair_id(library, pair), pair)
            differing = [key for key in ("kind", "severity", "why") if getattr(pair, key) != getattr(other, key)]
            if differing:
                message = f"{library} {row.version}: {pair.component} {pair.versions} has another {differing[0]}"
                yield Finding(pair, message, f"see {tables.place(other)}; write one of them in both")


def requirements_agree(tables: Tables) -> Iterator[Finding]:
    """What a release pins can be installed together: no pinned release refuses another."""
    rows = {(name, row.version): row for name, releases in tables.libraries.items() for row in releases}
    for library, row in _rows(tables):
        pins = {name: text.removeprefix("==") for name, text in row.requires.items() if _PIN.fullmatch(text)}
        for name, version in pins.items():
            pinned = rows.get((name, version))
            for other, text in pinned.requires.items() if pinned else ():
                if other in pins and not SpecifierSet(text).contains(pins[other], True):
                    message = f"{library} {row.version} pins {other} {pins[other]} and {name} {version}"
                    yield Finding(row, f"{message}, which requires {other} {text}", "correct the row that is wrong")


def _rows(tables: Tables) -> Iterator[tuple[str, LibraryRelease]]:
    for library, rows in tables.libraries.items():
        for row in rows:
            yield library, row


def released(tables: Tables) -> dict[str, list[str]]:
    """Package → the versions that have a row."""
    libraries = {name: [row.version for row in rows] for name, rows in tables.libraries.items()}
    runtimes = {"cudnn": tables.cudnn_releases, "nccl": tables.nccl_releases}
    listed = {name: [row.version for row in rows] for name, rows in runtimes.items() if rows}
    listed |= {"cuda": [row.version for row in tables.toolkits]} if tables.toolkits else {}
    return libraries | listed | {"torch": [row.version for row in tables.torch]}


def _met(text: str, versions: list[str]) -> bool:
    specifier = SpecifierSet(text)
    return any(specifier.contains(version, True) for version in versions)


LINTS: tuple[Lint, ...] = (extra_met, pair_met, pairs_agree, requirements_agree)
