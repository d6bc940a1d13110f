"""A forward proxy on this machine, which may refuse or be hard of hearing where a test tells it to."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from serving import on_a_free_port

if TYPE_CHECKING:
    from collections.abc import Iterator


class ForwardProxy:
    """`asked` are the addresses that went through it, in order; without the authorization it `wants` it says 407."""

    def __init__(self) -> None:
        self.host = ""
        self.asked: list[str] = []
        self.wants: str | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{self.host}"


@contextmanager
def forwarding() -> Iterator[ForwardProxy]:
    """A proxy on a free port, gone at the end."""
    proxy = ForwardProxy()
    with on_a_free_port(_handler(proxy)) as proxy.host:
        yield proxy


def unused_address() -> str:
    """An address of this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def _handler(proxy: ForwardProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 5

        def do_GET(self) -> None:
            proxy.asked.append(self.path)
            if self._refused():
                return
            parts = urlsplit(self.path)
            upstream = HTTPConnection(parts.netloc, timeout=5)
            try:
                headers = {name: self.headers[name] for name in ("Accept", "Range") if name in self.headers}
                upstream.request("GET", parts.path, headers=headers)
                self._pass_on(upstream.getresponse())
            finally:
                upstream.close()

        def do_CONNECT(self) -> None:
            """Nothing on loopback speaks TLS: a tunnel is refused or leads nowhere."""
            proxy.asked.append(self.path)
            if not self._refused():
                self.send_error(502)

        def _refused(self) -> bool:
            if proxy.wants is None or self.headers.get("Proxy-Authorization") == proxy.wants:
                return False
            self.send_response(407, "Proxy Authentication Required")
            self.send_header("Proxy-Authenticate", "Basic")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return True

        def _pass_on(self, answer: Any) -> None:
            body = answer.read()
            self.send_response(answer.status)
            for name in ("Content-Type", "Content-Range"):
                if answer.headers[name]:
                    self.send_header(name, answer.headers[name])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            """Tests have no use for a log."""

    return Handler
