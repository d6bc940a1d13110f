"""Fetching ahead: while one package is decided, the pages and metadata below it are already on their way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

from compatsolver.errors import CompatError
from compatsolver.index.settings import CONNECTIONS
from compatsolver.locking.shelf import Unlisted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from compatsolver.locking.shelf import Shelf
    from compatsolver.locking.wanted import Wanted


class Walk:
    """Follows requirements to the release that would be taken first, and on to what that requires.

    It decides nothing: what it fetches is in the client's memory when the resolution asks for it, and what goes wrong
    here goes wrong again there, where it can be told.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf.ahead()
        self._pool = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="fetch")
        self._lock = Lock()
        self._seen: set[tuple[str, str, str]] = set()

    def __enter__(self) -> Walk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_cheap = self._shelf.client.offline  # nothing is fetched then, and all that is missing gets its name
        self._pool.shutdown(cancel_futures=not is_cheap)

    def follow(self, wanted: Iterable[Wanted]) -> None:
        """Start on some requirements; returns at once."""
        for entry in wanted:
            key = (entry.name, entry.extra, str(entry.specifier))
            with self._lock:
                is_new = key not in self._seen
                self._seen.add(key)
            if is_new:
                self._submit(entry)

    def _submit(self, entry: Wanted) -> None:
        try:
            self._pool.submit(self._step, entry)
        except RuntimeError:  # shut down: the resolution has ended
            return

    def _step(self, entry: Wanted) -> None:
        try:
            release = next(iter(self._shelf.fitting(entry.name, [entry])), None)
            if release is not None:
                self.follow(self._shelf.dependencies(release, entry.extra))
        except (CompatError, ValueError, Unlisted):
            return
