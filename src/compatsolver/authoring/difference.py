"""What differs between two catalogues, told in facts: `torch 2.11.0 cu128 linux-x86_64: sm_70 removed`.

Rows are matched by what they are about, not by where they stand. Sources, notes and evidence are told on request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.authoring.subjects import PLATFORM_ROWS, SUBJECTS, told

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

Row = dict[str, Any]
PROVENANCE = ("sources", "notes", "evidence")
_INSIDE = {"torch": "builds"}
"""Table → the column whose rows have subjects of their own."""


class Change(NamedTuple):
    """One difference; `where` are the platforms on which it is the same."""

    subject: str
    what: str
    where: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{' '.join((self.subject, ', '.join(self.where))).rstrip()}: {self.what}"


def differences(old: Mapping[str, Any], new: Mapping[str, Any], *, provenance: bool = False) -> list[Change]:
    """Every change from one set of tables, in the form they are written in, to another; tables in a fixed order."""
    leave_out = () if provenance else PROVENANCE
    found: list[Change] = []
    for table in SUBJECTS:
        found += _rows(table, old.get(table, ()), new.get(table, ()), leave_out)
    before, after = old.get("libraries", {}), new.get("libraries", {})
    for library in sorted({*before, *after}):
        name = _release_of(library)
        found += _matched(before.get(library, ()), after.get(library, ()), name, leave_out)
    for table in ("aliases", "profiles", *(("sources",) if provenance else ())):
        found += _mapping(table, old.get(table, {}), new.get(table, {}), leave_out)
    return _joined(found)


def _rows(table: str, old: Iterable[Row], new: Iterable[Row], leave_out: tuple[str, ...]) -> Iterator[Change]:
    name, inside = SUBJECTS[table], _INSIDE.get(table)
    yield from _matched(old, new, name, leave_out if inside is None else (*leave_out, inside))
    if inside is not None:
        before, after = ([row | {PARENT: name(of)} for of in rows for row in of[inside]] for rows in (old, new))
        yield from _matched(before, after, _build, (*leave_out, PARENT))


def _release_of(library: str) -> Callable[[Row], str]:
    return lambda row: f"{library} {row['version']}"


PARENT = "of"
"""Column that a nested row is given: the subject it belongs to."""


def _build(row: Row) -> str:
    return f"{row[PARENT]} {row['build']} {row['platform']}"


def _matched(
    old: Iterable[Row], new: Iterable[Row], name: Callable[[Row], str], leave_out: tuple[str, ...]
) -> Iterator[Change]:
    """Changes between rows with the same subject; rows of one subject are matched in their order."""
    before, after = _by_subject(old, name), _by_subject(new, name)
    for key, row in before.items():
        if key not in after:
            yield Change(str(key[0]), "removed")
        else:
            for what in _columns(row, after[key], leave_out):
                yield Change(str(key[0]), what)
    for key, row in after.items():
        if key not in before:
            yield Change(str(key[0]), told(row))


def _by_subject(rows: Iterable[Row], name: Callable[[Row], str]) -> dict[tuple[str, int], Row]:
    found: dict[tuple[str, int], Row] = {}
    seen: dict[str, int] = {}
    for row in rows:
        subject = name(row)
        found[subject, seen.get(subject, 0)] = row
        seen[subject] = seen.get(subject, 0) + 1
    return found


def _mapping(
    table: str, old: Mapping[str, Row], new: Mapping[str, Row], leave_out: tuple[str, ...]
) -> Iterator[Change]:
    kind = _ONE_OF[table]
    for name in sorted({*old, *new}):
        if name not in new:
            yield Change(f"{kind} {name}", "removed")
        elif name not in old:
            yield Change(f"{kind} {name}", told(new[name]))
        else:
            for what in _columns(old[name], new[name], leave_out):
                yield Change(f"{kind} {name}", what)


_ONE_OF = {"aliases": "alias", "profiles": "profile", "sources": "source"}


def _columns(old: Row, new: Row, leave_out: tuple[str, ...]) -> Iterator[str]:
    for column in dict.fromkeys((*old, *new)):
        if column not in leave_out and old.get(column) != new.get(column):
            yield from _values(column, old.get(column), new.get(column), leave_out)


def _values(column: str, old: Any, new: Any, leave_out: tuple[str, ...]) -> Iterator[str]:
    """A change of one value in words; lists of words by what came and went, mappings key by key."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            if key not in leave_out and old.get(key) != new.get(key):
                yield from _values(
                    key if column in _PLAIN else f"{column} {key}", old.get(key), new.get(key), leave_out
                )
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(column, old, new, leave_out)
    else:
        yield f"{column} {_word(old)} → {_word(new)}"


_PLAIN = ("archs",)
"""Columns whose keys say enough."""


def _lists(column: str, old: list[Any], new: list[Any], leave_out: tuple[str, ...]) -> Iterator[str]:
    if any(isinstance(entry, dict) for entry in (*old, *new)):
        if column in PLATFORM_ROWS:
            for change in _matched(old, new, lambda row: f"{column} {row['platform']}", leave_out):
                yield f"{change.subject} {change.what}"
        elif [_bare(entry, leave_out) for entry in old] != [_bare(entry, leave_out) for entry in new]:
            yield f"{column} changed"
        return
    label = "" if column in ("sass", "ptx") else f"{column} "
    for words, verb in ((_missing(old, new), "removed"), (_missing(new, old), "added")):
        if words:
            yield f"{label}{', '.join(words)} {verb}"
    if sorted(map(str, old)) == sorted(map(str, new)):
        yield f"{column} in another order"


def _bare(row: Row, leave_out: tuple[str, ...]) -> Hashable:
    return repr({key: value for key, value in row.items() if key not in leave_out})


def _missing(here: list[Any], there: list[Any]) -> list[str]:
    return [str(entry) for entry in here if entry not in there]


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return " ".join(f"{key} {inside}" for key, inside in value.items())
    return "unknown" if value is None else "any" if value == "" else str(value)


def _joined(changes: list[Change]) -> list[Change]:
    """The same change to a build of several platforms told once."""
    found: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        head, _, platform = change.subject.rpartition(" ")
        is_platform = platform.startswith(("linux-", "windows-", "macos-"))
        subject, where = (head, [platform]) if is_platform else (change.subject, [])
        found.setdefault((subject, change.what), []).extend(where)
    return [Change(subject, what, tuple(where)) for (subject, what), where in found.items()]
