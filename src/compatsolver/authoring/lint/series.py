"""Releases in a row: what holds of the one before and the one after holds of a release, and requirements only rise.

Each law held for every release of the tables but those whose notes name the release before them: most projects change
a requirement once, and a fact that is changed back in the next release is more often a slip than a change.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.universe import KNOWN_TO_EXIST
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.authoring.schema import BuildRow, LibraryRelease, Tables, TorchRelease

_TIP = "correct the row; if it is right, say so in its notes and name the release before it"


def releases_alike(tables: Tables) -> Iterator[Finding]:
    """A release of a library between two that are alike is like them."""
    for library, rows in tables.libraries.items():
        for newer, row, older in _in_threes(_final(rows)):
            for key, value, expected in _alone(_columns(newer), _columns(row), _columns(older)):
                if not _says_so(row.notes, older.version):
                    between = f"unlike {older.version} and {newer.version}"
                    message = f"{library} {row.version} has {key} {_word(value)}, {between}: {_word(expected)}"
                    yield Finding(row, message, _TIP)


def builds_alike(tables: Tables) -> Iterator[Finding]:
    """A build of torch between two of the same CUDA and platform that are alike is like them."""
    for newer, release, older in _in_threes(tables.torch):
        after, before = _builds(newer), _builds(older)
        for key, row in _builds(release).items():
            around = _facts(after[key]) if key in after else {}, _facts(before[key]) if key in before else {}
            notes = [*row.notes, *(row.archs.notes if row.archs else ())]
            for column, value, expected in _alone(around[0], _facts(row), around[1]):
                if column in around[0] and column in _facts(row) and not _says_so(notes, older.version):
                    name = f"torch {release.version}+{row.build} for {row.platform}"
                    between = f"unlike {older.version} and {newer.version}"
                    yield Finding(row, f"{name} has {column} {_word(value)}, {between}: {_word(expected)}", _TIP)


def requirements_rise(tables: Tables) -> Iterator[Finding]:
    """What a release requires begins and ends no lower than what the one before it required."""
    for library, rows in (*tables.libraries.items(), ("torch", tables.torch)):
        for row, older in pairwise(_final(rows)):
            before = _required(older)
            for name, text in _required(row).items():
                if _is_lower(text, before.get(name, "")) and not _says_so(row.notes, older.version):
                    message = f"{library} {row.version} requires {name} {text}, {older.version} {before[name]}"
                    yield Finding(row, message, _TIP)


def _in_threes(rows: Sequence[Any]) -> Iterator[tuple[Any, Any, Any]]:
    return zip(rows, rows[1:], rows[2:], strict=False)


def _builds(release: TorchRelease) -> dict[tuple[str, str], BuildRow]:
    return {(row.build, row.platform): row for row in release.builds}


def _final(rows: Any) -> list[Any]:
    """Releases that are installed unasked, newest first."""
    return [row for row in rows if not getattr(row, "yanked", False) and not package_version(row.version).is_prerelease]


def _alone(
    newer: Mapping[str, Any], mine: Mapping[str, Any], older: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Columns in which the outer two agree, with the value of the inner one and theirs."""
    for key in sorted(newer.keys() | mine.keys() | older.keys()):
        value, expected = mine.get(key), newer.get(key)
        if older.get(key) == expected != value:
            yield key, value, expected


def _columns(row: LibraryRelease) -> dict[str, Any]:
    """What a release says, by the name under which the next one says it."""
    pairs: dict[str, list[str]] = {}
    for pair in row.works_with:
        pairs.setdefault(f"works_with {pair.component} ({pair.kind})", []).append(f"{pair.versions} ({pair.severity})")
    binaries: dict[str, list[Any]] = {}
    for binary in row.binaries or ():
        code = (binary.archs.sass, binary.archs.ptx) if binary.archs else None
        binaries.setdefault(f"binaries {binary.platform}", []).append((binary.cuda, binary.also, code))
    for built in row.prebuilt:
        binaries.setdefault(f"prebuilt {built.platform}", []).append((built.torch, built.cuda, built.pythons))
    wheels = {f"wheels {wheel.platform}": (wheel.pythons, wheel.glibc) for wheel in row.wheels}
    runs_on = row.runs_on and tuple(row.runs_on.compute_capability.columns())
    return _required(row) | wheels | pairs | binaries | {"runs_on": runs_on}


def _facts(row: BuildRow) -> dict[str, Any]:
    """What is known of a build that is published, or that it is not; what is unknown differs from nothing."""
    if row.published not in KNOWN_TO_EXIST:
        return {"published": False} if row.published == "no" else {}
    facts = {
        "published": True,
        "default_index": row.default_index,
        "pythons": row.pythons,
        "glibc": row.glibc,
        "cxx11_abi": row.cxx11_abi,
        "triton_pythons": row.triton_pythons,
        "targets": (row.archs.sass, row.archs.ptx) if row.archs and row.archs.sass else None,
    }
    return {column: value for column, value in facts.items() if value is not None}


def _required(row: LibraryRelease | TorchRelease) -> dict[str, str]:
    """Specifiers by what they are on; those of extras as `name[extra]`."""
    found = {"python": row.requires_python or ""} | dict(getattr(row, "requires", {}))
    for extra, added in getattr(row, "extras", {}).items():
        found |= {f"{name}[{extra}]": text for name, text in added.items()}
    return found


def _is_lower(text: str, other: str) -> bool:
    """Whether a specifier begins or ends below another."""
    return any(mine and its and mine < its for mine, its in zip(_ends(text), _ends(other), strict=True))


@cache
def _ends(text: str) -> tuple[Version | None, Version | None]:
    """The lowest and the highest version that a specifier names as a bound."""
    bounds = [(each.operator, Version(each.version.removesuffix(".*"))) for each in SpecifierSet(text)]
    lowest = [version for operator, version in bounds if operator in (">=", ">", "==", "~=")]
    highest = [version for operator, version in bounds if operator in ("<", "<=")]
    return max(lowest, default=None), min(highest, default=None)


def _says_so(notes: Sequence[str], other: str) -> bool:
    return any(other in note for note in notes)


def _word(value: Any) -> str:
    return "none" if value is None else repr(value)


LINTS: tuple[Lint, ...] = (releases_alike, builds_alike, requirements_rise)
