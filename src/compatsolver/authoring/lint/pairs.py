"""What libraries add to requirements: extras and `works_with` name components, can be met, and do not contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.rules.libraries import pair_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import LibraryRelease, Tables, WorksWithRow


def extra_met(tables: Tables) -> Iterator[Finding]:
    """What an extra adds has a table and a release that satisfies it: else nobody can install the extra."""
    released = _released(tables)
    for library, row in _rows(tables):
        for extra, added in row.extras.items():
            for name, text in added.items():
                wanted = f"{library}[{extra}] {row.version} adds {name} {text}"
                if name not in released:
                    yield Finding(row, f"{wanted}, which has no table", "correct the name, or add its table")
                elif not _met(text, released[name]):
                    yield Finding(row, f"{wanted}: no such release", "correct the specifier, or add the release")


def pair_met(tables: Tables) -> Iterator[Finding]:
    """What a release works with has a table; some release there satisfies it, unless only a part is missed."""
    released = _released(tables)
    for library, row in _rows(tables):
        for pair in row.works_with:
            works = f"{library} {row.version} works with {pair.component} {pair.versions}"
            if pair.component not in released:
                yield Finding(pair, f"{works}, which has no table", "correct the name, or add its table")
            elif pair.severity == "error" and not _met(pair.versions, released[pair.component]):
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


def _rows(tables: Tables) -> Iterator[tuple[str, LibraryRelease]]:
    for library, rows in tables.libraries.items():
        for row in rows:
            yield library, row


def _released(tables: Tables) -> dict[str, list[str]]:
    released = {name: [row.version for row in rows] for name, rows in tables.libraries.items()}
    return released | {"torch": [row.version for row in tables.torch]}


def _met(text: str, versions: list[str]) -> bool:
    specifier = SpecifierSet(text)
    return any(specifier.contains(version, True) for version in versions)


LINTS: tuple[Lint, ...] = (extra_met, pair_met, pairs_agree)
