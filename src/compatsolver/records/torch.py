"""Facts on torch: one build on one platform, or one release with all its builds."""

from __future__ import annotations

from typing import Any

from compatsolver.model.facts import UNKNOWN, Facts, Known
from compatsolver.model.version import package_version
from compatsolver.records.book import Book, Row, day, read_version
from compatsolver.records.issues import issues_of
from compatsolver.records.runtimes import floor_of, native_driver

_EXISTS = {"yes": True, "build-matrix": True, "no": False}
_OF_CUDA = ("cuda", "cudnn", "nccl")
_COLUMNS = ("cuda", "pythons", "glibc", "cudnn", "nccl", "cxx11_abi")


def build_facts(book: Book, version: str, build: str, platform: str) -> Facts:
    """One build on a platform; a build that no row names is absent where its release is listed completely."""
    subject = f"torch {version}+{build} on {platform}"
    release = _release(book, version)
    rows = release["builds"] if release else []
    row = next((row for row in rows if (row["build"], row["platform"]) == (build, platform)), None)
    if release is None or row is None:
        return Facts(subject, book.catalog.identity(), *_absent(book, version, release, build))
    fields = {
        "exists": _of(book, row, "published", _EXISTS.get(row["published"], UNKNOWN)),
        "published": _of(book, row, "published"),
        "released": book.known(day(release["released"]), release, evidence="artifact-exists"),
        "default_index": _of(book, row, "published", row["default_index"]),
        "index": book.known(row["index"], row, evidence=row["evidence"].get("published")),
        "archs": _archs(book, row),
        "requires_python": book.known(release.get("requires_python"), release, evidence="metadata"),
        **{name: _of(book, row, name) for name in _COLUMNS},
        "triton": _of(book, row, "triton", _pinned(row["triton"])),
        **{name: _paired(book, name, version) for name in ("torchvision", "torchaudio")},
        "driver": _driver(book, row, platform),
        "issues": issues_of(book, "torch", release["version"], platform, row["cuda"]),
    }
    notes = [*release.get("notes", ()), *row.get("notes", ()), *(row["archs"] or {}).get("notes", ())]
    return Facts(subject, book.catalog.identity(), fields, tuple(dict.fromkeys(notes)))


def release_facts(book: Book, version: str) -> Facts:
    """A release: its builds by platform and the one that the default index serves there."""
    release = _release(book, version)
    if release is None:
        return Facts(f"torch {version}", book.catalog.identity(), *_absent(book, version, None, None))
    builds: dict[str, list[dict[str, Any]]] = {}
    for row in release["builds"]:
        shown = {key: row[key] for key in ("build", "cuda", "published", "index")}
        builds.setdefault(row["platform"], []).append(shown)
    served = {row["platform"]: row["build"] for row in release["builds"] if row["default_index"]}
    fields = {
        "exists": book.known(True, release, evidence="artifact-exists"),
        "released": book.known(day(release["released"]), release, evidence="artifact-exists"),
        "requires_python": book.known(release.get("requires_python"), release, evidence="metadata"),
        "complete": Known(release["complete"]),
        "default_index": book.known(served, release, evidence="artifact-exists"),
        "builds": book.known(dict(sorted(builds.items())), release, evidence=_weakest(release["builds"])),
        **{name: _paired(book, name, version) for name in ("torchvision", "torchaudio")},
    }
    return Facts(f"torch {version}", book.catalog.identity(), fields, tuple(release.get("notes", ())))


def _release(book: Book, version: str) -> Row | None:
    wanted = read_version(version)
    return next((row for row in book.tables["torch"] if package_version(row["version"]) == wanted), None)


def _absent(
    book: Book, version: str, release: Row | None, build: str | None
) -> tuple[dict[str, Known], tuple[str, ...]]:
    """What can be said of a build or release that no row is about: it does not exist, or nobody knows."""
    if release is not None:
        others = sorted({row["platform"] for row in release["builds"] if row["build"] == build})
        note = (
            f"this build is listed for {', '.join(others)}" if others else f"{version} has no row of the build {build}"
        )
        exists = False if release["complete"] else UNKNOWN
        return {"exists": book.known(exists, release, evidence="artifact-exists")}, (note,)
    archived = next((row for row in book.tables["archive"] if version in row["versions"]), None)
    if archived is not None:
        wanted = "cu" + build.removeprefix("cu") if build else None
        tags = {"cu" + "".join(cuda.split(".")[:2]) for cuda in archived["cuda"]}
        exists = True if wanted is None or wanted in tags else UNKNOWN
        fields = {"exists": exists, "default_cuda": archived["default_cuda"], "cuda_builds": archived["cuda"]}
        return {name: book.known(value, archived) for name, value in fields.items()}, tuple(archived.get("notes", ()))
    listed = [package_version(row["version"]) for row in book.tables["torch"]]
    between = listed[-1] <= package_version(version) <= listed[0]
    note = f"the catalogue of {book.catalog.horizon} lists torch {listed[-1]} to {listed[0]}"
    return {"exists": Known(False if between else UNKNOWN)}, (note,)


def _of(book: Book, row: Row, column: str, value: Any = ...) -> Known:
    value = row.get(column) if value is ... else value
    if value is None and column in _OF_CUDA:
        return _none_of_cuda(book, row)
    return book.known(value, row, evidence=row["evidence"].get(column))


def _none_of_cuda(book: Book, row: Row) -> Known:
    """A CPU build has none, of another build nobody knows."""
    return book.stated(None, row, evidence=row["evidence"].get("published")) if row["build"] == "cpu" else Known(None)


def _archs(book: Book, row: Row) -> Known:
    archs = row["archs"]
    if archs is None:
        return _none_of_cuda(book, row)
    shown = {"sass": archs["sass"], "ptx": archs["ptx"]}
    return book.known(shown | {"disputed": archs["disputed"]} if archs.get("disputed") else shown, archs)


def _pinned(requirement: str | None) -> str | None:
    """The version that a requirement pins, or the requirement itself."""
    return requirement.removeprefix("==") if requirement and "," not in requirement else requirement


def _paired(book: Book, name: str, version: str) -> Known:
    """The newest release of a package that says it goes with this torch."""
    from packaging.specifiers import SpecifierSet

    for release in book.tables["libraries"].get(name, ()):
        wanted = release["requires"].get("torch")
        if wanted and not release["yanked"] and version in SpecifierSet(wanted):
            return book.known(release["version"], release)
    return Known(None)


def _driver(book: Book, row: Row, platform: str) -> Known:
    """The lowest driver that runs the build, and the lowest that does so natively."""
    if row["cuda"] is None:
        return _none_of_cuda(book, row)
    system = "windows" if platform.startswith("windows") else "linux"
    floor, native = floor_of(book, row["cuda"]), native_driver(book, row["cuda"], system)
    if floor is None:
        return Known(None)
    return book.known({"floor": floor["driver"][system], "native": native.value}, floor)


def _weakest(builds: list[Row]) -> str | None:
    from compatsolver.model.provenance import EVIDENCE

    levels = [row["evidence"]["published"] for row in builds if "published" in row["evidence"]]
    return max(levels, key=EVIDENCE.index, default=None)
