"""A server on loopback for as long as a test needs it."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler


@contextmanager
def on_a_free_port(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve with a handler; gives host and port. At the end the server is gone and its port free."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
