"""A transport that asks for the address of a host once, however many connections it opens to it."""

from __future__ import annotations

import socket
from threading import Lock
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    import ssl


class OneLookupTransport(httpx.BaseTransport):
    """Connects by address; the host's name goes into the `Host` header and is what its certificate must hold."""

    def __init__(self, context: ssl.SSLContext | bool, limits: httpx.Limits) -> None:
        self._transport = httpx.HTTPTransport(verify=context, limits=limits)
        self._lock = Lock()
        self._addresses: dict[str, list[str]] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the first address of its host that can be connected to."""
        host = request.url.host
        addresses = self._addresses_of(host)
        for address in tuple(addresses):
            try:
                return self._transport.handle_request(_addressed(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if address == addresses[-1]:
                    raise
        raise httpx.ConnectError(f"{host} has no address", request=request)

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def _addresses_of(self, host: str) -> list[str]:
        with self._lock:
            if host not in self._addresses:
                try:
                    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
                except OSError as error:
                    raise httpx.ConnectError(f"{host}: {error.strerror or error}") from error
                self._addresses[host] = list(dict.fromkeys(str(entry[4][0]) for entry in found))
            return self._addresses[host]


def _addressed(request: httpx.Request, address: str) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )
