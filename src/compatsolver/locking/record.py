"""From a closure to the packages of a lock: files of the target, each with a hash that was announced or computed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.index.addresses import local_path
from compatsolver.index.files import download, hash_of
from compatsolver.model.lock import LockedFile, LockedPackage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compatsolver.index.pages import RemoteFile
    from compatsolver.locking.closure import Node
    from compatsolver.locking.shelf import Shelf


def record(shelf: Shelf, nodes: Sequence[Node], report: Callable[[str], None]) -> tuple[LockedPackage, ...]:
    """The packages by name. A file of which the index gives no hash is downloaded for it; `report` is told."""
    return tuple(_package(shelf, node, report) for node in nodes)


def _package(shelf: Shelf, node: Node, report: Callable[[str], None]) -> LockedPackage:
    release = node.release
    return LockedPackage(
        name=release.name,
        version=str(release.version),
        files=tuple(_file(shelf, file, report) for file in shelf.files(release)),
        index=None
        if release.is_direct or release.index == shelf.client.settings.primary
        else release.index.rstrip("/"),
        requires=node.requires,
        requires_python=shelf.metadata(release).requires_python,
        extras=node.extras,
        direct=release.is_direct,
    )


def _file(shelf: Shelf, file: RemoteFile, report: Callable[[str], None]) -> LockedFile:
    is_local = file.url.startswith("file:")
    return LockedFile(
        name=file.name,
        hashes=file.hashes or _computed(shelf, file, report),
        url=None if is_local else file.url,
        path=str(local_path(file.url)) if is_local else None,
        size=file.size,
    )


def _computed(shelf: Shelf, file: RemoteFile, report: Callable[[str], None]) -> dict[str, str]:
    """The SHA-256 of a file that has to be looked at for it."""
    if file.url.startswith("file:"):
        return {"sha256": hash_of(local_path(file.url))}
    report(f"{file.name}: the index gives no hash, downloading it")
    with tempfile.TemporaryDirectory(prefix="compatsolver-") as folder:
        return {"sha256": hash_of(download(shelf.client.connection, file, Path(folder)))}
