"""Answers of an index that are written down: for tests of what is made of them, not of how they travel."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.index.connection import Connection, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

INDEX = "https://index.example/simple/"
JSON = "application/vnd.pypi.simple.v1+json"


class Listed(NamedTuple):
    """A file on an index, uploaded on a day, with its bytes."""

    name: str
    data: bytes
    uploaded: str = "2026-05-01"
    yanked: bool = False


class Answers(Connection):
    """Stands for the network: addresses and what they answer, ranges too; `asked` are the addresses in order."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.asked: list[str] = []

    def page(self, name: str, *files: Listed, index: str = INDEX) -> None:
        """Put a project on an index."""
        rows = [
            {
                "filename": file.name,
                "url": f"https://index.example/files/{file.name}",
                "hashes": {"sha256": sha256(file.data).hexdigest()},
                "size": len(file.data),
                "upload-time": f"{file.uploaded}T12:00:00Z",
                "yanked": file.yanked,
            }
            for file in files
        ]
        text = json.dumps({"meta": {"api-version": "1.1"}, "name": name, "versions": [], "files": rows})
        address = f"{index}{name}/"
        self.replies[address] = Reply(address, 200, {"content-type": JSON}, text.encode())
        for row, file in zip(rows, files, strict=True):
            self.replies[str(row["url"])] = Reply(str(row["url"]), 200, {}, file.data)

    def get(self, url: str, headers: Mapping[str, str] | None = None, largest: int = 0) -> Reply:
        self.asked.append(url)
        reply = self.replies.get(url, Reply(url, 404, {}, b""))
        wanted = (headers or {}).get("Range", "").removeprefix("bytes=")
        if not wanted or reply.status != 200:
            return reply
        first, _, last = wanted.partition("-")
        size = len(reply.body)
        start, end = (int(first), min(size, int(last) + 1)) if first else (max(0, size - int(last)), size)
        stated = {"content-range": f"bytes {start}-{end - 1}/{size}"}
        return reply._replace(status=206, headers=stated, body=reply.body[start:end])

    def close(self) -> None:
        """Nothing was opened."""
