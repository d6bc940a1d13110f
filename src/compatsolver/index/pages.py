"""A project's page on an index: which files there are, and what the index says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from compatsolver.index.addresses import unavailable
from compatsolver.index.names import version_text
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from packaging.version import Version

    from compatsolver.index.connection import Reply

_JSON = "application/vnd.pypi.simple.v1+json"
_ABSOLUTE = ("https://", "http://")
"""What an address that needs no joining starts with; a page may have thousands, and joining is slow."""
ALGORITHMS = ("sha256", "sha384", "sha512")
"""Hashes that count; weaker ones say nothing about who made the file."""


class RemoteFile(NamedTuple):
    """One file as an index lists it.

    `hashes` maps algorithms to digests and is empty where the index gives none. `size` is in bytes. `yanked` is the
    reason, empty where none is given, or None. `uploaded` is ISO 8601. `metadata` maps algorithms to digests of the
    file's separately served metadata (PEP 658), and is None where there is no such thing. What the index does not say
    is None.
    """

    name: str
    url: str
    hashes: Mapping[str, str]
    size: int | None = None
    requires_python: str | None = None
    yanked: str | None = None
    uploaded: str | None = None
    metadata: Mapping[str, str] | None = None


class Project(NamedTuple):
    """A project on one index, whose base address is `index`.

    `releases` maps each version, as PEP 440 spells it, to its files; the newest comes first.
    """

    name: str
    index: str  # type: ignore[assignment]  # hides tuple.index, which nobody asks of it
    releases: Mapping[str, tuple[RemoteFile, ...]]

    @property
    def files(self) -> tuple[RemoteFile, ...]:
        """The files of all releases."""
        return tuple(file for files in self.releases.values() for file in files)


def read_page(name: str, index: str, reply: Reply) -> Project:
    """Read a page, JSON (PEP 691) or HTML (PEP 503); raises IndexUnavailable where it is neither."""
    from mousebender.simple import UnsupportedAPIVersion, UnsupportedMIMEType, parse_project_details

    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        details = parse_project_details(reply.body.decode("utf-8"), kind if kind == _JSON else f"{kind};", name)
        rows: list[Any] = list(details["files"])
        return project_of(name, index, [_file(row, reply.url) for row in rows])
    except (UnsupportedMIMEType, UnsupportedAPIVersion, ValueError, KeyError, TypeError, AttributeError) as error:
        raise unavailable(reply.url, f"no page of a package index: {error}") from error


def project_of(name: str, index: str, files: Iterable[RemoteFile]) -> Project:
    """A project with its files gathered by version; those without a readable version are left out."""
    gathered: dict[Version, list[RemoteFile]] = {}
    for file in files:
        try:
            version = package_version(version_text(file.name, name) or "")
        except ValueError:
            continue
        gathered.setdefault(version, []).append(file)
    return Project(name, index, {str(version): tuple(gathered[version]) for version in sorted(gathered, reverse=True)})


def _file(row: Mapping[str, Any], page: str) -> RemoteFile:
    metadata = row.get("core-metadata", row.get("dist-info-metadata", False))
    yanked = row.get("yanked", False)
    url = row["url"]
    return RemoteFile(
        name=row["filename"],
        url=url if url.startswith(_ABSOLUTE) else urljoin(page, url),
        hashes=_strong(row["hashes"]),
        size=row.get("size"),
        requires_python=row.get("requires-python"),
        yanked=None if yanked is False else "" if yanked is True else str(yanked),
        uploaded=row.get("upload-time"),
        metadata=None if metadata is False else {} if metadata is True else _strong(metadata),
    )


def _strong(hashes: Mapping[str, str]) -> dict[str, str]:
    return {algorithm: hashes[algorithm].lower() for algorithm in ALGORITHMS if algorithm in hashes}
