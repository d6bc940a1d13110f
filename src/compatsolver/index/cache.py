"""What was learnt from indexes, kept on disk: pages by their address, metadata by the hash of the file it describes.

An entry is its SHA-256 digest, a line feed, and what is kept. One that is damaged counts as not there.
Writers write beside an entry and rename, so that any number of processes can share a cache.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from compatsolver.files import replace

VARIABLE = "COMPATSOLVER_CACHE"
_LAYOUT = "index-v2"


class Cache:
    """A folder of entries; where it cannot be written nothing is kept, and nothing breaks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / _LAYOUT

    def read(self, kind: str, key: str) -> bytes | None:
        """The entry's content, or None."""
        try:
            data = self._path(kind, key).read_bytes()
        except OSError:
            return None
        digest, _, content = data.partition(b"\n")
        return content if digest == hashlib.sha256(content).hexdigest().encode() else None

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keep an entry, in place of the one there was."""
        path = self._path(kind, key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, hashlib.sha256(content).hexdigest().encode() + b"\n" + content)

    def _path(self, kind: str, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self.folder / kind / name[:2] / name


def default_folder() -> Path:
    """Where the cache of this user lies, unless COMPATSOLVER_CACHE names another folder."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("compatsolver", appauthor=False)
