"""The pins of a lock file (PEP 751), read as requirements of exactly those versions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from packaging.pylock import Pylock, PylockUnsupportedVersionError, PylockValidationError

from compatsolver.errors import InputError
from compatsolver.model.request import Listing
from compatsolver.requirements.textfile import read_text
from compatsolver.requirements.written import read_requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path

    from packaging.pylock import Package

    from compatsolver.model.request import Target


def read_lock(path: Path, target: Target) -> Listing:
    """The packages that a lock installs on a complete target; raises InputError where the file is no lock.

    Packages without a version (directories, version control) are named in a note, because nothing is known of them.
    """
    try:
        lock = Pylock.from_dict(tomllib.loads(read_text(path)))
    except (tomllib.TOMLDecodeError, PylockValidationError, PylockUnsupportedVersionError, RecursionError) as error:
        raise InputError(f"{path}: no lock file: {error}", hint="give a pylock.toml, or a list with -r") from None
    pinned = [read_requirement(_written(package), target) for package in lock.packages if package.version]
    without = [package.name for package in lock.packages if not package.version]
    note = f"{path}: {', '.join(without)} has no version in the lock and is not looked at"
    return Listing(tuple(entry for entry in pinned if entry), (note,) if without else ())


def _written(package: Package) -> str:
    marker = f" ; {package.marker}" if package.marker else ""
    return f"{package.name}=={package.version}{marker}"
