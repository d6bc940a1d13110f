"""What the file names of a release say: platforms, Pythons, glibc."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from compatsolver.authoring.measure.record import wheel_platform
from compatsolver.authoring.rules.wheels import admits
from compatsolver.model.version import NumericVersion, PythonVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from packaging.tags import Tag
    from packaging.version import Version

    from compatsolver.index.pages import Project, RemoteFile

ANY = "any"
_OLD_MANYLINUX = {"manylinux1": "2.5", "manylinux2010": "2.12", "manylinux2014": "2.17"}
_MANYLINUX = re.compile(r"manylinux_(\d+)_(\d+)_")


def releases_of(project: Project) -> dict[Version, list[RemoteFile]]:
    """The files of each final release, newest first; what is not named as a distribution is left out."""
    found: dict[Version, list[RemoteFile]] = {}
    for file in project.files:
        version = _version(file.name)
        if version and not version.is_prerelease:
            found.setdefault(version, []).append(file)
    return dict(sorted(found.items(), reverse=True))


def tags_of(name: str) -> tuple[str, ...]:
    """The tags in a wheel's file name."""
    return tuple(sorted(str(tag) for tag in parse_wheel_filename(name)[3]))


def _version(name: str) -> Version | None:
    try:
        return parse_wheel_filename(name)[1] if name.endswith(".whl") else parse_sdist_filename(name)[1]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None


def wheel_rows(
    files: Iterable[RemoteFile], requires_python: str | None, pythons: Sequence[str]
) -> list[dict[str, Any]]:
    """`wheels` of a release, one row a platform; `pythons` are those that the catalogue knows.

    Where the wheels of a platform differ in their glibc, the row has the highest floor.
    """
    served: dict[str, set[str]] = {}
    floors: dict[str, list[str]] = {}
    for file in files:
        if file.name.endswith(".whl"):
            for platform, tags in _platforms(parse_wheel_filename(file.name)[3]).items():
                served.setdefault(platform, set()).update(_pythons(tags, requires_python, pythons))
                floors.setdefault(platform, []).extend(_floor(tags))
    rows = []
    for platform in sorted(served):
        row: dict[str, Any] = {"platform": platform}
        row["pythons"] = ANY if ANY in served[platform] else sorted(served[platform], key=_newest_first)
        if floors[platform]:
            row["glibc"] = max(floors[platform], key=NumericVersion.parse)
        if row["pythons"]:
            rows.append(row)
    return rows


def _platforms(tags: Iterable[Tag]) -> dict[str, list[Tag]]:
    found: dict[str, list[Tag]] = {}
    for tag in tags:
        platform = ANY if tag.platform == "any" else wheel_platform((str(tag),))
        if platform:
            found.setdefault(platform, []).append(tag)
    return found


def _pythons(tags: Iterable[Tag], requires_python: str | None, known: Sequence[str]) -> set[str]:
    """The Pythons of the catalogue that a wheel with these tags is for."""
    found = set()
    for tag in tags:
        numbers = re.fullmatch(r"cp(\d)(\d+)", tag.interpreter)
        if numbers is None:
            found |= {ANY} if tag.interpreter.startswith("py3") else set()
        elif tag.abi == "abi3":
            lowest = PythonVersion(int(numbers[1]), int(numbers[2]))
            admitted = (text for text in known if not text.endswith("t") and PythonVersion.parse(text) >= lowest)
            found |= {text for text in admitted if admits(requires_python, PythonVersion.parse(text))}
        else:
            text = f"{numbers[1]}.{numbers[2]}{'t' if tag.abi.endswith('t') else ''}"
            found |= {text} & set(known)
    return found


def _floor(tags: Iterable[Tag]) -> list[str]:
    """The lowest glibc of a wheel's tags: each of them is enough."""
    floors = []
    for tag in tags:
        matched = _MANYLINUX.match(tag.platform)
        old = _OLD_MANYLINUX.get(tag.platform.partition("_")[0])
        floors += [f"{matched[1]}.{matched[2]}"] if matched else [old] if old else []
    return [min(floors, key=NumericVersion.parse)] if floors else []


def _newest_first(text: str) -> tuple[int, int, bool]:
    python = PythonVersion.parse(text)
    return (-python.major, -python.minor, python.free_threaded)


def page_source(project: Project, day: Any) -> dict[str, dict[str, Any]]:
    """The page that was read, as a source under the name it has in the tables."""
    name = canonicalize_name(project.name)
    title = f"{name} on the package index: wheel list and METADATA"
    return {f"pypi-{name}": {"title": title, "url": f"{project.index}{name}/", "retrieved": day}}
