"""Python environments as folders: which interpreter, of what kind, and where its packages lie."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.errors import ProbeError
from compatsolver.observation.live.machine import read_text

if TYPE_CHECKING:
    from pathlib import Path

_VERSION = re.compile(r"^version(?:_info)?\s*=\s*(3\.\d+(?:\.\d+)?)", re.MULTILINE)
_HOME = re.compile(r"^home\s*=\s*(.+?)\s*$", re.MULTILINE)
_SHARED = re.compile(r"^include-system-site-packages\s*=\s*true", re.MULTILINE | re.IGNORECASE)
_FOLDER = re.compile(r"python(3\.\d+)(t?)")
_PROGRAM = re.compile(r"python(?:3(?:\.\d+t?)?)?(?:\.exe)?", re.IGNORECASE)


class PythonEnvironment(NamedTuple):
    """An environment on disk. `python` is its version, `3.12` where the patch is not told; `kind` is `venv`, `uv`,
    `conda` or `system`; `folders` hold its packages, the first wins."""

    prefix: Path
    kind: str
    python: str | None
    folders: tuple[Path, ...]


def kind_of(prefix: Path, base: Path) -> str:
    """What made an environment: uv signs its own, conda keeps its records there, a venv differs from its base."""
    if (prefix / "pyvenv.cfg").is_file():
        return "uv" if re.search(r"^uv\s*=", read_text(prefix / "pyvenv.cfg"), re.MULTILINE) else "venv"
    if (prefix / "conda-meta").is_dir():
        return "conda"
    return "venv" if prefix != base else "system"


def find_environment(path: Path) -> PythonEnvironment:
    """The environment of an interpreter's path or of a folder; raises ProbeError where there is none."""
    prefix = _prefix(path)
    settings = read_text(prefix / "pyvenv.cfg")
    libraries = _libraries(prefix)
    if not libraries:
        raise ProbeError(
            f"{path}: not a Python environment",
            context=("it has no lib/python3.*/site-packages and no Lib/site-packages",),
            hint="give the folder of the environment, or its interpreter, as in .venv or .venv/bin/python",
        )
    home = _HOME.search(settings)
    shared = _libraries(_prefix(path.__class__(home[1]) / "python")) if home and _SHARED.search(settings) else []
    return PythonEnvironment(prefix, kind_of(prefix, prefix), _python(prefix, settings, path), (*libraries, *shared))


def _prefix(path: Path) -> Path:
    """Two levels above an interpreter (one on Windows, beside its Lib); links are not followed: they leave a venv."""
    if not _PROGRAM.fullmatch(path.name) or path.is_dir():
        return path
    folder = path.parent
    return folder.parent if folder.name.lower() in ("bin", "scripts") else folder


def _libraries(prefix: Path) -> list[Path]:
    """Debian keeps what apt installs for its own Python in `dist-packages`, behind what pip put under /usr/local."""
    found = [*sorted(prefix.glob("lib/python3*/site-packages"), reverse=True), prefix / "Lib/site-packages"]
    found += [*sorted(prefix.glob("local/lib/python3.*/dist-packages")), prefix / "lib/python3/dist-packages"]
    return [folder for folder in found if folder.is_dir()]


def _python(prefix: Path, settings: str, path: Path) -> str | None:
    told = _VERSION.search(settings)
    if told:
        return told[1] + ("t" if any(prefix.glob("lib/python3.*t")) else "")
    for record in sorted(prefix.glob("conda-meta/python-3.*.json")):
        return record.name.split("-")[1]
    named = _FOLDER.fullmatch(path.name) or next(
        (match for folder in sorted(prefix.glob("lib/python3.*")) if (match := _FOLDER.fullmatch(folder.name))), None
    )
    return named[1] + named[2] if named else None
