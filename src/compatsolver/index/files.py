"""Whole files of an index: checked against their hashes, downloaded so that a broken transfer goes on where it was."""

from __future__ import annotations

import hashlib
import shutil
import time
from typing import TYPE_CHECKING

from compatsolver.errors import HashMismatch, IndexUnavailable
from compatsolver.index.addresses import local_path, unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from compatsolver.index.connection import Connection
    from compatsolver.index.pages import RemoteFile

_PIECE = 1 << 20
LARGEST_FILE = 20_000_000_000


def first_hash(hashes: Mapping[str, str]) -> str | None:
    """One hash as `sha256:…`, SHA-256 first; None where there is none."""
    for algorithm in ("sha256", *sorted(hashes)):
        if algorithm in hashes:
            return f"{algorithm}:{hashes[algorithm]}"
    return None


def checked(data: bytes, hashes: Mapping[str, str], name: str) -> bytes:
    """The data, if it has the hashes; raises HashMismatch."""
    for algorithm, expected in hashes.items():
        found = hashlib.new(algorithm, data).hexdigest()
        if found != expected:
            raise HashMismatch(name, f"{algorithm}:{expected}", f"{algorithm}:{found}")
    return data


def hash_of(path: Path, algorithm: str = "sha256") -> str:
    """The hexadecimal digest of a file."""
    digest = hashlib.new(algorithm)
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def download(
    connection: Connection, file: RemoteFile, folder: Path, progress: Callable[[int], None] = lambda received: None
) -> Path:
    """Put a file into a folder and return its path; one that is there and right is not fetched again.

    A transfer that breaks goes on where it stopped, also in a later run. `progress` is told the bytes received so far.
    Raises HashMismatch, after which nothing of the file is left, and IndexUnavailable.
    """
    path = folder / file.name
    if path.is_file() and _is_right(path, file.hashes):
        return path
    part = folder / f"{file.name}.part"
    if file.url.startswith("file:"):
        shutil.copyfile(local_path(file.url), part)
    else:
        _transfer(connection, file, part, progress)
    for algorithm, expected in file.hashes.items():
        found = hash_of(part, algorithm)
        if found != expected:
            part.unlink()
            raise HashMismatch(file.name, f"{algorithm}:{expected}", f"{algorithm}:{found}")
    part.replace(path)
    return path


def _is_right(path: Path, hashes: Mapping[str, str]) -> bool:
    return bool(hashes) and all(hash_of(path, algorithm) == digest for algorithm, digest in hashes.items())


def _transfer(connection: Connection, file: RemoteFile, part: Path, progress: Callable[[int], None]) -> None:
    """Fetch what is still missing of a part, with as many attempts as the connection makes."""
    for pause in (*connection.pauses, None):
        try:
            return _attempt(connection, file, part, progress)
        except IndexUnavailable:
            if pause is None:
                raise
            time.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def _attempt(connection: Connection, file: RemoteFile, part: Path, progress: Callable[[int], None]) -> None:
    from compatsolver.index.connection import paced

    there = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={there}-"} if there else {})
    with connection.stream(file.url, headers) as response:
        if response.status_code == 416:
            return
        if response.status_code not in (200, 206):
            raise unavailable(file.url, f"status {response.status_code}")
        continues = response.status_code == 206
        received = there if continues else 0
        with part.open("ab" if continues else "wb") as target:
            for piece in paced(response, connection.timeout, LARGEST_FILE):
                target.write(piece)
                received += len(piece)
                progress(received)
