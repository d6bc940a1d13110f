"""A file on a server, read in ranges: enough of a wheel to know what is in it, without the whole of it."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from compatsolver.index.addresses import local_path, unavailable

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from compatsolver.index.connection import Connection, Reply

READ_AHEAD = 65_536
"""Bytes of the smallest range: the directory of most wheels and the metadata of all fit."""
_TOTAL = re.compile(r"bytes (\d+)-\d+/(\d+)")


class RemoteReader(io.RawIOBase):
    """A seekable file whose bytes are fetched as they are read; keeps its end and what was fetched last.

    `size` is in bytes, as is `read_ahead`, the smallest range that is asked for. A server that knows no ranges sends
    the whole file, which is then kept.
    """

    def __init__(self, connection: Connection, url: str, size: int | None, read_ahead: int) -> None:
        super().__init__()
        self._connection = connection
        self._url = url
        self._read_ahead = read_ahead
        self._position = 0
        wanted = f"-{read_ahead}" if size is None else f"{max(0, size - read_ahead)}-{size - 1}"
        start, body, self.size = self._fetch(wanted)
        self._tail = self._last = (start, body)

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def tell(self) -> int:
        """The position of the next byte."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move; nothing is fetched."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: Buffer) -> int:
        """Fill the buffer as far as the file reaches."""
        view = memoryview(buffer).cast("B")
        end = min(self._position + len(view), self.size)
        if end <= self._position:
            return 0
        start, body = self._holding(self._position, end)
        view[: end - self._position] = body[self._position - start : end - start]
        count = end - self._position
        self._position = end
        return count

    def _holding(self, begin: int, end: int) -> tuple[int, bytes]:
        for start, body in (self._tail, self._last):
            if start <= begin and end <= start + len(body):
                return start, body
        last = min(self.size, max(end, begin + self._read_ahead)) - 1
        start, body, size = self._fetch(f"{begin}-{last}")
        if size != self.size or start > begin or end > start + len(body):
            raise unavailable(self._url, f"bytes {begin}-{last} were asked for and others came")
        self._last = (start, body)
        return self._last

    def _fetch(self, wanted: str) -> tuple[int, bytes, int]:
        """The start and the bytes of a range, and the size of the file."""
        headers = {"Range": f"bytes={wanted}", "Accept-Encoding": "identity"}
        reply = self._connection.get(self._url, headers)
        stated = _TOTAL.fullmatch(reply.headers.get("content-range", ""))
        if reply.status == 206 and stated:
            return int(stated[1]), reply.body, int(stated[2])
        if reply.status != 200:
            reply = self._whole(reply)
        return 0, reply.body, len(reply.body)

    def _whole(self, refused: Reply) -> Reply:
        """The file as it is, from a server that refuses the range asked for."""
        reply = self._connection.get(self._url) if refused.status in (416, 501) else refused
        if reply.status != 200:
            raise unavailable(self._url, f"status {reply.status}")
        return reply


def open_remote(
    connection: Connection, url: str, size: int | None = None, read_ahead: int = READ_AHEAD
) -> io.BufferedReader:
    """A file to seek and read in; raises IndexUnavailable where the server does not give it."""
    if url.startswith("file:"):
        return local_path(url).open("rb")
    return io.BufferedReader(RemoteReader(connection, url, size, read_ahead))
