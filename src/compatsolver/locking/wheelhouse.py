"""A wheelhouse: every file of a lock in one folder, from which a host without network installs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters import requirements
from compatsolver.emitters.locked import indexless
from compatsolver.emitters.quoting import quoted
from compatsolver.errors import ProbeError
from compatsolver.files import replace
from compatsolver.index.files import download
from compatsolver.index.pages import RemoteFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.index.connection import Connection
    from compatsolver.index.settings import Settings
    from compatsolver.model.lock import Lock, LockedFile

_MEGABYTE = 1_000_000


def gather(lock: Lock, folder: Path, progress: Callable[[str], None], settings: Settings) -> list[Path]:
    """Download what is not there yet, check every hash, and write the requirements file to install with.

    A broken transfer goes on where it stopped, also in a later run. Returns the files, the requirements file first.
    Raises HashMismatch, IndexUnavailable, and ProbeError where the folder cannot be written.
    """
    from compatsolver.index.connection import Connection

    connection = Connection(settings)
    files = [file for package in lock.packages for file in package.files]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = [
            _fetched(connection, file, folder, progress, f"{number}/{len(files)}")
            for number, file in enumerate(files, start=1)
        ]
        name, text = next(iter(requirements.render(indexless(lock)).items()))
        replace(folder / name, text.encode())
    except OSError as error:
        raise ProbeError(f"{folder}: cannot be written: {error.strerror or error}") from error
    finally:
        connection.close()
    return [folder / name, *found]


def install_line(listing: Path, platform: str) -> str:
    """The command that installs from a wheelhouse by its requirements file, without any network."""
    place, file = quoted(str(listing.parent), platform), quoted(str(listing), platform)
    return f"pip install --no-index --find-links {place} --require-hashes -r {file}"


def _fetched(
    connection: Connection, file: LockedFile, folder: Path, progress: Callable[[str], None], place: str
) -> Path:
    url = file.url or (folder.__class__(file.path or "").resolve().as_uri())
    size = f" of {file.size / _MEGABYTE:.0f}" if file.size else ""
    remote = RemoteFile(name=file.name, url=url, hashes=file.hashes, size=file.size)
    return download(
        connection,
        remote,
        folder,
        lambda received: progress(f"{place} {file.name}: {received / _MEGABYTE:.0f}{size} MB"),
    )
