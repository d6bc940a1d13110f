"""What is kept of a page and of metadata, as bytes for the cache.

A page is a line of JSON on the page itself and then one for each release. Most releases of a page are never looked
at, and only those that are get decoded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.index.metadata import Metadata
from compatsolver.index.pages import RemoteFile

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeptPage(NamedTuple):
    """A page as it was fetched, in seconds since 1970; `releases` is None where the index had no such project."""

    fetched: float
    etag: str | None
    releases: Mapping[str, tuple[RemoteFile, ...]] | None


class _Packed(Mapping[str, "tuple[RemoteFile, ...]"]):
    """Releases by version, each decoded when it is asked for."""

    def __init__(self, lines: dict[str, bytes]) -> None:
        self._lines = lines

    def __getitem__(self, version: str) -> tuple[RemoteFile, ...]:
        return tuple(RemoteFile(*row) for row in json.loads(self._lines[version]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def packed_page(page: KeptPage) -> bytes:
    """A page as the cache keeps it."""
    releases = page.releases or {}
    head = {"fetched": page.fetched, "etag": page.etag, "versions": None if page.releases is None else list(releases)}
    return b"\n".join([_dumped(head), *map(_dumped, releases.values())])


def unpacked_page(content: bytes) -> KeptPage:
    """A page from the cache."""
    first, *lines = content.split(b"\n")
    head = json.loads(first)
    versions = head["versions"]
    return KeptPage(
        head["fetched"], head["etag"], None if versions is None else _Packed(dict(zip(versions, lines, strict=True)))
    )


def packed_metadata(metadata: Metadata) -> bytes:
    """Metadata as the cache keeps it."""
    return _dumped(metadata)


def unpacked_metadata(content: bytes) -> Metadata:
    """Metadata from the cache."""
    name, version, requires, requires_python, extras, is_static = json.loads(content)
    return Metadata(name, version, tuple(requires), requires_python, tuple(extras), is_static)


def _dumped(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
