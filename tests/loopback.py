"""A package index on this machine that keeps to the protocols, and breaks them where a test tells it to.

No kept server does both: what is tested is a client's manners when bytes go missing, drip, loop or lie.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from serving import on_a_free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

JSON = "application/vnd.pypi.simple.v1+json"
TRUNCATED, CHANGED, LOOP, DRIP, HOLD = "truncated", "changed", "loop", "drip", "hold"
"""What may happen to a request besides a status: half a body, other bytes, a redirect to itself, a byte at a time, and
half a body whose rest comes once it is `released`."""
LONGEST_HOLD = 60.0


class Listed(NamedTuple):
    """A file and what the index says of it; `announced` is a hash that is not the file's."""

    name: str
    data: bytes
    project: str
    requires_python: str | None = None
    yanked: bool = False
    metadata: bytes | None = None
    hashed: bool = True
    announced: str | None = None

    @property
    def sha256(self) -> str:
        return self.announced or sha256(self.data).hexdigest()


class Loopback:
    """The server's contents and its memory: `requests` are paths in order, `faults` what happens to the next ones.

    `held` is set when a body is held back, `released` lets all of those go on.
    """

    def __init__(self) -> None:
        self.indexes: dict[str, list[Listed]] = {}
        self.speaks_json = True
        self.knows_ranges = True
        self.faults: dict[str, list[int | str]] = {}
        self.requests: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.sent = 0
        self.address = ""
        self.held = Event()
        self.released = Event()

    def serve(self, index: str, files: Sequence[Listed]) -> str:
        """Put files on an index, and return its address."""
        self.indexes.setdefault(index, []).extend(files)
        return f"{self.address}/{index}/"

    def count(self, part: str) -> int:
        """How many requests had this in their path."""
        return sum(part in path for path in self.requests)

    def answer(self, path: str, accept: str) -> tuple[str, bytes] | None:
        """Content type and body; None where there is nothing."""
        index = next((name for name in self.indexes if path.startswith(f"/{name}/")), "")
        rest = path.removeprefix(f"/{index}/").rstrip("/")
        files = self.indexes.get(index, [])
        if rest.startswith("files/"):
            return self._file(files, rest.removeprefix("files/"))
        project = [file for file in files if file.project == rest]
        if not project:
            return None
        return self._json(project) if self.speaks_json and JSON in accept else self._html(project)

    def _file(self, files: list[Listed], name: str) -> tuple[str, bytes] | None:
        wanted = name.removesuffix(".metadata")
        for file in files:
            if file.name == wanted:
                data = file.metadata if wanted != name else file.data
                return None if data is None else ("application/octet-stream", data)
        return None

    def _json(self, files: list[Listed]) -> tuple[str, bytes]:
        rows: list[dict[str, Any]] = [
            {
                "filename": file.name,
                "url": f"../files/{file.name.replace('+', '%2B')}",
                "hashes": {"sha256": file.sha256} if file.hashed else {},
                "size": len(file.data),
                "requires-python": file.requires_python,
                "yanked": file.yanked,
                "core-metadata": {"sha256": sha256(file.metadata).hexdigest()} if file.metadata else False,
            }
            for file in files
        ]
        page = {"meta": {"api-version": "1.1"}, "name": files[0].project, "versions": [], "files": rows}
        return JSON, json.dumps(page).encode()

    def _html(self, files: list[Listed]) -> tuple[str, bytes]:
        lines = []
        for file in files:
            fragment = f"#sha256={file.sha256}" if file.hashed else ""
            python = f' data-requires-python="{file.requires_python}"' if file.requires_python else ""
            yanked = ' data-yanked=""' if file.yanked else ""
            metadata = f' data-core-metadata="sha256={sha256(file.metadata).hexdigest()}"' if file.metadata else ""
            href = f"../files/{file.name.replace('+', '%2B')}{fragment}"
            lines.append(f'<a href="{href}"{python.replace(">", "&gt;")}{yanked}{metadata}>{file.name}</a>')
        return "text/html; charset=utf-8", f"<!DOCTYPE html><html><body>{''.join(lines)}</body></html>".encode()


@contextmanager
def running() -> Iterator[Loopback]:
    """A server on a free port, gone at the end."""
    loopback = Loopback()
    with on_a_free_port(_handler(loopback)) as host:
        loopback.address = f"http://{host}"
        try:
            yield loopback
        finally:
            loopback.released.set()


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.replace("%2B", "+")
            loopback.requests.append(path)
            loopback.headers.append(dict(self.headers))
            waiting = loopback.faults.get(path)
            fault = waiting.pop(0) if waiting else None
            if isinstance(fault, int):
                self._send(fault, "text/plain", b"")
            elif fault == LOOP:
                self._send(302, "text/plain", b"", {"Location": path})
            else:
                found = loopback.answer(path, self.headers.get("Accept", ""))
                if found is None:
                    self._send(404, "text/plain", b"")
                else:
                    self._body(*found, fault)

        def do_HEAD(self) -> None:
            self.do_GET()

        def _body(self, kind: str, body: bytes, fault: str | None) -> None:
            if fault == CHANGED:
                body = bytes([body[0] ^ 1]) + body[1:]
            start, end = self._range(len(body))
            status = 200 if (start, end) == (0, len(body)) else 206
            headers = {"Content-Range": f"bytes {start}-{end - 1}/{len(body)}"} if status == 206 else {}
            self._send(status, kind, body[start:end], headers, fault)

        def _range(self, size: int) -> tuple[int, int]:
            text = self.headers.get("Range", "")
            if not loopback.knows_ranges or not text.startswith("bytes="):
                return 0, size
            first, _, last = text.removeprefix("bytes=").partition("-")
            if not first:
                return max(0, size - int(last)), size
            return int(first), min(size, int(last) + 1) if last else size

        def _send(
            self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None, fault: str | None = None
        ) -> None:
            self.send_response(status)
            for name, text in {
                "Content-Type": kind,
                "Content-Length": str(len(body)),
                "Accept-Ranges": "bytes",
                **(headers or {}),
            }.items():
                self.send_header(name, text)
            self.end_headers()
            sent = body[: len(body) // 2] if fault == TRUNCATED else body
            sent = b"" if self.command == "HEAD" else sent
            loopback.sent += len(sent)
            if fault == DRIP:
                self._drip(body)
            elif fault == HOLD:
                self._hold(sent)
            else:
                self.wfile.write(sent)
            if fault == TRUNCATED:
                self.wfile.flush()
                self.close_connection = True

        def _hold(self, body: bytes) -> None:
            with suppress(OSError):
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                loopback.held.set()
                loopback.released.wait(LONGEST_HOLD)
                self.wfile.write(body[len(body) // 2 :])
            self.close_connection = True

        def _drip(self, body: bytes) -> None:
            for place in range(min(len(body), 50)):
                try:
                    self.wfile.write(body[place : place + 1])
                    self.wfile.flush()
                except OSError:
                    return
                time.sleep(0.1)
            self.close_connection = True

        def log_message(self, *_arguments: Any) -> None:
            """Tests have no use for a log."""

    return Handler
