"""The directory of a project: nothing that is there is replaced unless it was named."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.projects.contents import SETUP
from compatsolver.errors import InputError, ProbeError
from compatsolver.files import replacing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path


class Placed(NamedTuple):
    """Names of files by what became of them; `kept` are there with other contents."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    kept: tuple[str, ...]


def place(directory: Path, files: Mapping[str, str], force: Collection[str], keep: Collection[str]) -> Placed:
    """Write the files that are not there or are named in `force`: all of them, or none.

    Raises InputError where a file has other contents and is named neither in `force` nor in `keep`, where a name is
    none of the project's, and ProbeError where the directory cannot be written.
    """
    strangers = sorted({*force, *keep} - {*files})
    if strangers:
        raise InputError(f"{strangers[0]} is no file of the project", hint=f"its files are {', '.join(files)}")
    found = {name: _read(directory / name) for name in files}
    unchanged = tuple(name for name, text in files.items() if found[name] == text.encode())
    other = [name for name in files if found[name] is not None and name not in unchanged]
    undecided = [name for name in other if name not in force and name not in keep]
    if undecided:
        raise InputError(
            f"{directory} already has files of these names, with other contents; nothing was written",
            context=tuple(undecided),
            hint=f"--force {undecided[0]} replaces one, --keep {undecided[0]} leaves it as it is; each is named",
        )
    kept = tuple(name for name in other if name not in force)
    written = tuple(name for name in files if name not in unchanged and name not in kept)
    _write(directory, {name: files[name] for name in written})
    return Placed(written, unchanged, kept)


def _read(path: Path) -> bytes | None:
    """What is in a file; None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ProbeError(f"{path}: {error.strerror or error}", hint="choose another directory") from error


def _write(directory: Path, files: Mapping[str, str]) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with ExitStack() as written:
            for name, text in files.items():
                written.enter_context(replacing(directory / name, text.encode()))
        if SETUP in files:
            (directory / SETUP).chmod(0o755)
    except OSError as error:
        raise ProbeError(
            f"{directory}: the project cannot be written: {error.strerror or error}",
            hint="choose a place you may write to",
        ) from error
