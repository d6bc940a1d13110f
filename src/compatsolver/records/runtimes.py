"""Facts on drivers, CUDA toolkits, and the libraries that torch builds pin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.hosts import read_driver
from compatsolver.errors import InputError
from compatsolver.model.facts import UNKNOWN, Facts, Known
from compatsolver.model.version import Capability, NumericVersion
from compatsolver.records.book import day, inside
from compatsolver.records.issues import issues_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.records.book import Book, Row

_VERSION = re.compile(r"\d+(?:\.\d+){0,3}")


def driver_facts(book: Book, text: str, platform: str) -> Facts:
    """A driver: its branch, the runtimes it runs, the GPUs it drives."""
    driver = read_driver(book.catalog, text)
    branch = next(
        (row for row in book.tables["branches"] if _first(row) <= driver.major < int(row["below_major"])), None
    )
    subject = f"driver {driver} on {platform}"
    if branch is None:
        known = f"{book.tables['branches'][-1]['branch']} to {book.tables['branches'][0]['branch']}"
        note = f"the catalogue of {book.catalog.horizon} knows the branches {known}"
        return Facts(subject, book.catalog.identity(), {"exists": Known(UNKNOWN)}, (note,))
    system = "windows" if platform.startswith("windows") else "linux"
    running = [row for row in book.tables["compatibility"] if _runs(driver, row["driver"][system])]
    toolkits = book.tables["toolkits"]
    newest = next((row for row in toolkits if any(inside(row["version"], each["cuda"]) for each in running)), None)
    fields = {
        "exists": book.known(True, branch),
        "branch": book.known(branch["branch"], branch),
        **{key: book.known(branch[key], branch) for key in ("designation", "latest_seen")},
        "end_of_life": book.known(_text(branch["end_of_life"]), branch),
        "native_cuda": book.known(branch["max_cuda"], branch),
        "newest_cuda": book.known(newest and _minor(newest["version"]), *running[:1]),
        "compute_capabilities": _driven(book, branch),
        "issues": issues_of(book, "driver", str(driver), platform),
    }
    return Facts(subject, book.catalog.identity(), fields, tuple(branch.get("notes", ())))


def cuda_facts(book: Book, text: str) -> Facts:
    """A toolkit, by its minor version or one of its updates: drivers, GPUs, host compilers, torch builds."""
    if not _VERSION.fullmatch(text):
        raise InputError(f"{text!r} is not a CUDA version", hint="give it as 12.4 or 12.4.1")
    minor = _minor(text)
    exact = text.count(".") > 1
    rows = [
        row for row in book.tables["toolkits"] if (row["version"] == text if exact else _minor(row["version"]) == minor)
    ]
    floor = floor_of(book, text)
    if not rows or floor is None:
        note = f"the catalogue of {book.catalog.horizon} has no CUDA {text}"
        newest, oldest = book.tables["toolkits"][0]["version"], book.tables["toolkits"][-1]["version"]
        between = NumericVersion.parse(oldest) <= NumericVersion.parse(text) <= NumericVersion.parse(newest)
        return Facts(f"cuda {text}", book.catalog.identity(), {"exists": Known(False if between else UNKNOWN)}, (note,))
    compilers = next((row for row in book.tables["compilers"] if row["cuda"] == minor), None)
    served = [row for row in book.tables["capabilities"] if _compiles(minor, row)]
    fields = {
        "exists": book.known(True, *rows),
        "toolkits": book.known({row["version"]: row["driver"] for row in rows}, *rows),
        "branch": book.known(rows[0]["branch"], *rows),
        "driver_floor": book.known(floor["driver"], floor),
        "minor_version_compatibility": book.known(floor["minor_version"], floor),
        "native_driver": _native(book, text),
        "compute_capabilities": book.known([row["compute_capability"] for row in served], *served),
        "host_compilers": _compilers(book, compilers),
        "torch": _torch(book, lambda row: bool(row["cuda"]) and _minor(row["cuda"]) == minor),
        "issues": issues_of(book, "cuda", rows[0]["version"]),
    }
    notes = [note for row in rows for note in row.get("notes", ())] + list(floor.get("notes", ()))
    return Facts(f"cuda {text}", book.catalog.identity(), fields, tuple(dict.fromkeys(notes)))


def pinned_facts(book: Book, name: str, text: str) -> Facts:
    """A cuDNN or NCCL release: the torch builds that come with it and, of cuDNN, the GPUs it runs on."""
    if not _VERSION.fullmatch(text):
        raise InputError(f"{text!r} is not a version of {name}", hint=f"give it as torch pins it: {name} 9.10.2.21")
    builds = _torch(book, lambda row: _begins(row[name], text))
    released = [row for row in book.tables[f"{name}_releases"] if _begins(row["version"], text)]
    exists = book.known(True, *released) if released else Known(True if builds.value else UNKNOWN)
    shown = [
        {
            "version": row["version"],
            "released": day(row["released"]),
            "packages": row["packages"],
            "yanked": row["yanked"],
        }
        for row in released
    ]
    fields = {"exists": exists, "releases": book.known(shown, *released), "torch": builds}
    notes: tuple[str, ...] = ()
    if name == "cudnn":
        row = next((row for row in book.tables["cudnn"] if inside(text, row["cudnn"])), None)
        fields["compute_capability"] = book.known(row["compute_capability"], row) if row else Known(None)
        notes = tuple(row.get("notes", ())) if row else ()
    else:
        symbols = [
            row
            for row in book.tables["nccl_symbols"]
            if NumericVersion.parse(row["first"]) <= NumericVersion.parse(text)
        ]
        fields["symbols"] = book.known([row["symbol"] for row in symbols], *symbols)
    fields["issues"] = issues_of(book, name, text)
    return Facts(f"{name} {text}", book.catalog.identity(), fields, notes)


def floor_of(book: Book, cuda: str) -> Row | None:
    """The row on the lowest driver that runs a runtime."""
    return next((row for row in book.tables["compatibility"] if inside(cuda, row["cuda"])), None)


def native_driver(book: Book, cuda: str, system: str) -> Known:
    """The lowest driver packaged with any update of a toolkit's minor; else the first of the first branch for it."""
    minor = NumericVersion.parse(_minor(cuda))
    packaged = [
        row for row in book.tables["toolkits"] if _minor(row["version"]) == _minor(cuda) and row["driver"][system]
    ]
    if packaged:
        lowest = min(packaged, key=lambda row: NumericVersion.parse(row["driver"][system]))
        return book.known(lowest["driver"][system], lowest)
    branches = [
        row for row in book.tables["branches"] if row["max_cuda"] and NumericVersion.parse(row["max_cuda"]) >= minor
    ]
    return book.known(branches[-1]["first_major"], branches[-1]) if branches else Known(None)


def _native(book: Book, cuda: str) -> Known:
    found = {system: native_driver(book, cuda, system) for system in ("linux", "windows")}
    return found["linux"]._replace(value={system: known.value for system, known in found.items()})


def _compilers(book: Book, row: Row | None) -> Known:
    return book.known({key: row[key] for key in ("gcc", "clang", "visual_studio")}, row) if row else Known(None)


def _torch(book: Book, holds: Callable[[Row], bool]) -> Known:
    """Published torch builds by version, each with its platforms."""
    found: dict[str, list[str]] = {}
    rows = []
    for release in book.tables["torch"]:
        for row in release["builds"]:
            if row["published"] in ("yes", "build-matrix") and holds(row):
                found.setdefault(f"{release['version']}+{row['build']}", []).append(row["platform"])
                rows.append(row)
    return book.known(found, *rows[:1], evidence="metadata") if found else Known(None)


def _driven(book: Book, branch: Row) -> Known:
    """The capabilities that a branch drives; those whose first branch nobody knows are left out."""
    rows = [row for row in book.tables["capabilities"] if row["first_branch"] and _drives(branch, row)]
    ordered = sorted((row["compute_capability"] for row in rows), key=Capability.parse)
    return book.known(ordered, *rows)


def _drives(branch: Row, row: Row) -> bool:
    number = _first(branch)
    last = row["last_branch"]
    return int(row["first_branch"][1:]) <= number and (last is None or number <= int(last[1:]))


def _compiles(minor: str, row: Row) -> bool:
    version = NumericVersion.parse(minor)
    first, last = row["first_toolkit"], row["last_toolkit"]
    return (first is None or NumericVersion.parse(_minor(first)) <= version) and (
        last is None or version <= NumericVersion.parse(_minor(last))
    )


def _runs(driver: NumericVersion, floor: str | None) -> bool:
    return floor is not None and driver >= NumericVersion.parse(floor)


def _begins(version: str | None, text: str) -> bool:
    return version is not None and f"{version}.".startswith(f"{text}.")


def _minor(text: str) -> str:
    return ".".join(text.split(".")[:2])


def _first(row: Row) -> int:
    return int(row["first_major"])


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
