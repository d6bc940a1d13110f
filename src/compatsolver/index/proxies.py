"""Forward proxies: which one an address goes through, and what is said of one that does not let it through."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass, proxy_bypass_environment  # type: ignore[attr-defined]

import httpx

from compatsolver.index.addresses import without_credentials
from compatsolver.index.transport import OneLookupTransport

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping


_DIRECT = "no"


class ProxyRefusal(httpx.ProxyError):
    """A proxy that wants other credentials; asking it again changes nothing."""


class RoutedTransport(httpx.BaseTransport):
    """Sends a request on its way: through the proxy of its address, or directly.

    `configured` has the form of `urllib.request.getproxies`: proxies by scheme, `all` for any, and under `no` the hosts
    that are reached directly. What it leaves open the environment says, and on macOS and Windows the system's settings.
    """

    def __init__(self, configured: Mapping[str, str], context: ssl.SSLContext | bool, connections: int) -> None:
        self._proxies = _completed(configured)
        self._context = context
        self._limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._direct = OneLookupTransport(context, self._limits)
        self._lock = Lock()
        self._through: dict[str, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; raises httpx.ProxyError, which names the proxy, where that is what fails."""
        proxy = self._proxy_of(request.url)
        if proxy is None:
            return self._direct.handle_request(request)
        name = without_credentials(proxy)
        try:
            response = self._transport(proxy).handle_request(request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            kind = ProxyRefusal if str(error).startswith("407") else httpx.ProxyError
            raise kind(f"through the proxy {name}: {str(error) or 'no connection in time'}") from error
        if response.status_code == httpx.codes.PROXY_AUTHENTICATION_REQUIRED:
            response.close()
            raise ProxyRefusal(f"through the proxy {name}: 407 {response.reason_phrase}")
        return response

    def close(self) -> None:
        """Close all connections."""
        for transport in (self._direct, *self._through.values()):
            transport.close()

    def _proxy_of(self, url: httpx.URL) -> str | None:
        host = f"{url.host}:{url.port}" if url.port else url.host
        named = _DIRECT in self._proxies
        if proxy_bypass_environment(host, self._proxies) if named else proxy_bypass(host):
            return None
        found = self._proxies.get(url.scheme) or self._proxies.get("all")
        return found if not found or "://" in found else f"http://{found}"

    def _transport(self, proxy: str) -> httpx.HTTPTransport:
        with self._lock:
            if proxy not in self._through:
                self._through[proxy] = _opened(proxy, self._context, self._limits)
            return self._through[proxy]


def _completed(configured: Mapping[str, str]) -> dict[str, str]:
    found = getproxies()
    if configured.keys() - {_DIRECT}:  # named proxies stand in for all of the environment's
        found = {scheme: text for scheme, text in found.items() if scheme == _DIRECT}
    return {**found, **configured}


def _opened(proxy: str, context: ssl.SSLContext | bool, limits: httpx.Limits) -> httpx.HTTPTransport:
    try:
        return httpx.HTTPTransport(verify=context, limits=limits, proxy=proxy)
    except (ImportError, ValueError) as error:
        words = f"the proxy {without_credentials(proxy)} is neither an HTTP nor an HTTPS proxy"
        raise httpx.UnsupportedProtocol(words) from error
