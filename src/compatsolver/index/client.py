"""The client: projects, metadata and files of package indexes, each fetched once and kept in the cache."""

from __future__ import annotations

import io
import time
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from packaging.utils import canonicalize_name

from compatsolver.errors import IndexUnavailable, NotCached
from compatsolver.index.addresses import unavailable
from compatsolver.index.entries import KeptPage, packed_metadata, packed_page, unpacked_metadata, unpacked_page
from compatsolver.index.files import checked, first_hash
from compatsolver.index.metadata import LARGEST, Metadata, of_source, of_wheel, read_metadata
from compatsolver.index.pages import Project, RemoteFile, read_page
from compatsolver.index.remote import READ_AHEAD, open_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from types import TracebackType

    from compatsolver.index.cache import Cache
    from compatsolver.index.connection import Connection
    from compatsolver.index.settings import Settings

FRESH_FOR = 600
"""Seconds for which a kept page is used unasked, as pip and uv have it; an older one is asked for again."""
LARGEST_SOURCE = 200_000_000
_ABSENT = (404, 410)
_T = TypeVar("_T")


class Client:
    """Reads indexes for any number of threads; `offline` reads the cache alone, `refresh` asks for every page anew.

    Its methods raise IndexUnavailable where an index cannot be read, and NotCached offline.
    """

    def __init__(
        self,
        settings: Settings,
        cache: Cache,
        *,
        offline: bool = False,
        refresh: bool = False,
        connection: Connection | None = None,
    ) -> None:
        self.settings = settings
        self.offline = offline
        self._refresh = refresh
        self._cache = cache
        self._connection = connection
        self._lock = Lock()
        self._done: dict[Hashable, Future[Any]] = {}
        self._missing: dict[str, None] = {}

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection:
            self._connection.close()

    @property
    def connection(self) -> Connection:
        """Made for the first request: what is in the cache needs none, and httpx takes long to import."""
        with self._lock:
            if self._connection is None:
                from compatsolver.index.connection import Connection

                self._connection = Connection(self.settings)
            return self._connection

    @property
    def missing(self) -> tuple[str, ...]:
        """All that was asked for offline and is not in the cache."""
        with self._lock:
            return tuple(self._missing)

    def project(self, name: str, index: str | None = None) -> Project | None:
        """A project on the first index that has it, or on one index alone; None where none has it."""
        name = canonicalize_name(name)
        for base in (index,) if index else self.settings.indexes:
            found = self._once(("page", base, name), partial(self._project, name, base))
            if found is not None:
                return found
        return None

    def metadata(self, file: RemoteFile) -> Metadata:
        """What a file says of itself; of sources only what is static (see `Metadata.is_static`)."""
        return self._once(("metadata", file.url), partial(self._metadata, file))

    def open_remote(self, url: str, size: int | None = None, read_ahead: int = READ_AHEAD) -> io.BufferedReader:
        """A file of an index to seek and read in; only what is read is fetched. Sizes are in bytes."""
        if self.offline and not url.startswith("file:"):
            raise self._not_cached(url)
        return open_remote(self.connection, url, size, read_ahead)

    def _once(self, key: Hashable, fetch: Callable[[], _T]) -> _T:
        """The result of a fetch; who asks while another thread is at it waits for that thread's."""
        with self._lock:
            future: Future[_T] | None = self._done.get(key)
            is_mine = future is None
            if future is None:
                future = self._done[key] = Future()
        if is_mine:
            try:
                future.set_result(fetch())
            except Exception as error:
                future.set_exception(error)
        return future.result()

    def _project(self, name: str, base: str) -> Project | None:
        url = f"{base}{name}/"
        is_local = url.startswith("file:")
        content = None if is_local else self._cache.read("pages", url)
        kept = unpacked_page(content) if content else None
        is_fresh = kept and not self._refresh and 0 <= time.time() - kept.fetched < FRESH_FOR
        if kept is None or not (self.offline or is_fresh):
            if self.offline and not is_local:
                raise self._not_cached(f"the page of {name} on {base}")
            kept = self._fetched(name, base, kept)
            if not is_local:
                self._cache.write("pages", url, packed_page(kept))
        return None if kept.releases is None else Project(name, base, kept.releases)

    def _fetched(self, name: str, base: str, kept: KeptPage | None) -> KeptPage:
        """A page as the index has it now, which is the kept one where the index says that it still holds."""
        from mousebender.simple import ACCEPT_SUPPORTED

        url = f"{base}{name}/"
        tag = {"If-None-Match": kept.etag} if kept and kept.etag else {}
        reply = self.connection.get(url, {"Accept": ACCEPT_SUPPORTED, **tag})
        if reply.status not in (200, *_ABSENT) and not (reply.status == 304 and kept):
            raise _refused(url, reply.status)
        if reply.status == 304 and kept:
            return kept._replace(fetched=time.time())
        releases = read_page(name, base, reply).releases if reply.status == 200 else None
        return KeptPage(time.time(), reply.headers.get("etag"), releases)

    def _metadata(self, file: RemoteFile) -> Metadata:
        key = first_hash(file.hashes)
        kept = self._cache.read("metadata", key) if key else None
        if kept:
            return unpacked_metadata(kept)
        if self.offline and not file.url.startswith("file:"):
            raise self._not_cached(f"the metadata of {file.name}")
        found = self._read(file)
        if key:
            self._cache.write("metadata", key, packed_metadata(found))
        return found

    def _read(self, file: RemoteFile) -> Metadata:
        is_wheel = file.name.endswith(".whl")
        try:
            data = self._separate(file)
            if data is None:
                data = self._of_wheel(file) if is_wheel else self._of_source(file)
            return read_metadata(data, is_wheel=is_wheel)
        except ValueError as error:
            raise unavailable(file.url, str(error)) from error

    def _separate(self, file: RemoteFile) -> bytes | None:
        """The metadata that the index serves beside the file (PEP 658), where it does."""
        if file.metadata is None:
            return None
        reply = self.connection.get(f"{file.url}.metadata", largest=LARGEST)
        if reply.status != 200:
            return None
        return checked(reply.body, file.metadata, f"{file.name}.metadata")

    def _of_wheel(self, file: RemoteFile) -> bytes:
        with open_remote(self.connection, file.url, file.size) as remote:
            return of_wheel(remote)

    def _of_source(self, file: RemoteFile) -> bytes:
        reply = self.connection.get(file.url, largest=LARGEST_SOURCE)
        if reply.status != 200:
            raise _refused(file.url, reply.status)
        return of_source(io.BytesIO(checked(reply.body, file.hashes, file.name)))

    def _not_cached(self, what: str) -> NotCached:
        with self._lock:
            self._missing[what] = None
            return NotCached(tuple(self._missing))


def _refused(url: str, status: int) -> IndexUnavailable:
    words = {401: "it wants credentials (401)", 403: "it refuses access (403)", 429: "too many requests (429)"}
    return unavailable(url, words.get(status, f"status {status}"))
