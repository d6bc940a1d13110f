"""Lock files (PEP 751): their pins as requirements, or all they say, with what this program wrote into them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from packaging.pylock import Pylock, PylockUnsupportedVersionError, PylockValidationError

from compatsolver.errors import InputError
from compatsolver.model.lock import SCHEMA, Accelerator, Lock, LockedFile, LockedPackage
from compatsolver.model.request import Listing, Target
from compatsolver.requirements.textfile import read_text
from compatsolver.requirements.written import read_requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from packaging.pylock import Package, PackageArchive, PackageSdist, PackageWheel


def read_lock(path: Path, target: Target) -> Listing:
    """The packages that a lock installs on a complete target; raises InputError where the file is no lock.

    Packages without a version (directories, version control) are named in a note, because nothing is known of them.
    """
    lock = _parsed(path)
    pinned = [read_requirement(_written(package), target) for package in lock.packages if package.version]
    without = [package.name for package in lock.packages if not package.version]
    note = f"{path}: {', '.join(without)} has no version in the lock and is not looked at"
    return Listing(tuple(entry for entry in pinned if entry), (note,) if without else ())


def read_locked(path: Path) -> Lock:
    """The lock as it was made, its packages without a version left out; raises InputError where the file is no lock.

    In a lock of another program nothing is requested, and the targets and the catalogue are empty.
    """
    lock = _parsed(path)
    table = (lock.tool or {}).get("compatsolver")
    ours = table if isinstance(table, dict) and table.get("schema") == SCHEMA else {}
    try:
        return Lock(
            packages=tuple(_package(package) for package in lock.packages if package.version),
            targets=tuple(_target(row) for row in _list(ours, "targets")),
            requested=_texts(ours, "requested"),
            catalog={str(name): str(value) for name, value in dict(ours.get("catalog", {})).items()},
            conditions=_texts(ours, "conditions"),
            notes=_texts(ours, "notes"),
            accelerator=_accelerator(ours.get("accelerator", {})),
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: [tool.compatsolver] cannot be read: {error}", hint="make the lock again") from None


def without_version(path: Path) -> tuple[str, ...]:
    """The packages of a lock that have none, as directories and checkouts: no hash says what they hold."""
    return tuple(package.name for package in _parsed(path).packages if not package.version)


def _parsed(path: Path) -> Pylock:
    try:
        return Pylock.from_dict(tomllib.loads(read_text(path)))
    except (tomllib.TOMLDecodeError, PylockValidationError, PylockUnsupportedVersionError, RecursionError) as error:
        raise InputError(f"{path}: no lock file: {error}", hint="give a pylock.toml, or a list with -r") from None


def _written(package: Package) -> str:
    marker = f" ; {package.marker}" if package.marker else ""
    return f"{package.name}=={package.version}{marker}"


def _package(package: Package) -> LockedPackage:
    sources = [*(package.wheels or ()), *([package.sdist] if package.sdist else ())]
    files = [_file(source, source.filename) for source in sources]
    if package.archive:
        files.append(_file(package.archive, _basename(package.archive)))
    ours = (package.tool or {}).get("compatsolver", {})
    return LockedPackage(
        name=package.name,
        version=str(package.version),
        files=tuple(files),
        index=package.index,
        requires=tuple(str(entry["name"]) for entry in package.dependencies or () if "name" in entry),
        requires_python=str(package.requires_python) if package.requires_python else None,
        marker=str(package.marker) if package.marker else None,
        extras=tuple(str(extra) for extra in ours.get("extras", ())),
        direct=package.is_direct,
    )


def _file(source: PackageWheel | PackageSdist | PackageArchive, name: str) -> LockedFile:
    return LockedFile(name=name, hashes=source.hashes, url=source.url, path=source.path, size=source.size)


def _basename(archive: PackageArchive) -> str:
    from urllib.parse import unquote, urlsplit

    where = unquote(urlsplit(archive.url).path) if archive.url else (archive.path or "").replace("\\", "/")
    return where.rpartition("/")[2]


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list):
        raise TypeError(f"{key} is not a list")
    return value


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(str(entry) for entry in _list(table, key))


def _target(row: Mapping[str, Any]) -> Target:
    return Target(**_told(row, Target._fields))


def _accelerator(row: Mapping[str, Any]) -> Accelerator:
    return Accelerator(**_told(row, Accelerator._fields))


def _told(row: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """The fields that are known here; a later version may have written more."""
    return {name: _value(name, row[name]) for name in fields if name in row}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(str(entry) for entry in value)
    if not isinstance(value, str | bool):
        raise TypeError(f"{name} is neither a text nor a list of texts")
    return value
