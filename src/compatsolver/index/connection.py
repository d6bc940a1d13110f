"""HTTP as an index needs it: credentials, retries with backoff, and a bound on everything that could go on for ever."""

from __future__ import annotations

import ssl
import time
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import httpx

from compatsolver.index.addresses import local_path, unavailable
from compatsolver.index.credentials import Credentials
from compatsolver.index.proxies import ProxyRefusal, RoutedTransport
from compatsolver.index.settings import CONNECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.index.settings import Settings

PAUSES = (0.2, 0.8, 2.0)
"""Seconds before each further attempt; a server's `Retry-After` may make them longer."""
LONGEST_PAUSE = 30.0
LARGEST_PAGE = 200_000_000
SLOWEST = 20_000
"""Bytes a second below which a transfer is given up, once it has taken as long as the timeout."""

_TRY_AGAIN = frozenset((408, 429, 500, 502, 503, 504))
_TEXT = {".html": "text/html", ".json": "application/vnd.pypi.simple.v1+json"}
_AGENT = "compatsolver (package resolver)"


class Reply(NamedTuple):
    """An answer whose body was read to its end; `url` is where it came from after redirects."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Few connections to each host, shared by the threads that fetch; a host without an answer is not asked again.

    `pauses` are the seconds between attempts, one attempt more than there are pauses.
    """

    def __init__(self, settings: Settings, pauses: Sequence[float] = PAUSES) -> None:
        self.pauses = pauses
        self.timeout = settings.timeout
        self._settings = settings
        self._lock = Lock()
        self._opened: httpx.Client | None = None
        self._unreachable: dict[str, str] = {}

    def close(self) -> None:
        """Close all connections."""
        if self._opened:
            self._opened.close()

    def get(self, url: str, headers: Mapping[str, str] | None = None, largest: int = LARGEST_PAGE) -> Reply:
        """Fetch a whole body, whatever its status; raises IndexUnavailable where no attempt brings an answer."""
        if url.startswith("file:"):
            return _local(url)
        host = urlsplit(url).netloc
        if host in self._unreachable:
            raise unavailable(url, self._unreachable[host])
        for pause in (*self.pauses, None):
            try:
                reply = self._once(url, headers or {}, largest)
            except httpx.TransportError as error:
                if pause is None or isinstance(error, (httpx.UnsupportedProtocol, ProxyRefusal)):
                    if isinstance(error, (httpx.ConnectError, httpx.ProxyError)):
                        self._unreachable[host] = _words(error)
                    raise unavailable(url, _words(error)) from error
                time.sleep(pause)
                continue
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise unavailable(url, _words(error)) from error
            if pause is None or reply.status not in _TRY_AGAIN:
                return reply
            time.sleep(max(pause, _retry_after(reply)))
        raise AssertionError("the last attempt returns or raises")

    @property
    def _client(self) -> httpx.Client:
        """Opened for the first request: certificates take long to load, and what is in the cache needs none."""
        with self._lock:
            if self._opened is None:
                self._opened = _opened(self._settings)
            return self._opened

    @contextmanager
    def stream(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """One attempt at a body to be read piece by piece; raises IndexUnavailable for what breaks on the way."""
        try:
            with self._client.stream("GET", url, headers=dict(headers)) as response:
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unavailable(url, _words(error)) from error

    def _once(self, url: str, headers: Mapping[str, str], largest: int) -> Reply:
        with self._client.stream("GET", url, headers=dict(headers)) as response:
            body = b"".join(paced(response, self.timeout, largest))
            return Reply(str(response.url), response.status_code, response.headers, body)


def _opened(settings: Settings) -> httpx.Client:
    context = ssl.create_default_context(cafile=settings.certificate) if settings.certificate else True
    return httpx.Client(
        auth=Credentials(settings.credentials),
        follow_redirects=True,
        headers={"User-Agent": _AGENT, "Accept-Encoding": "gzip"},
        max_redirects=10,
        timeout=httpx.Timeout(settings.timeout),
        transport=RoutedTransport(settings.proxies, context, CONNECTIONS),
    )


def paced(response: httpx.Response, timeout: float, largest: int) -> Iterator[bytes]:
    """The pieces of a body; raises httpx.ReadTimeout where it drips, and httpx.DecodingError where it is too large."""
    begun = time.monotonic()
    received = 0
    for piece in response.iter_bytes():
        received += len(piece)
        taken = time.monotonic() - begun
        if taken > timeout and received < taken * SLOWEST:
            raise httpx.ReadTimeout(f"{received} bytes in {taken:.0f} seconds", request=response.request)
        if received > largest:
            raise httpx.DecodingError(f"more than {largest} bytes", request=response.request)
        yield piece


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _retry_after(reply: Reply) -> float:
    text = reply.headers.get("retry-after", "")
    return min(float(text), LONGEST_PAUSE) if text.isdigit() else 0.0


def _local(url: str) -> Reply:
    path = local_path(url)
    try:
        page = path / "index.html" if path.is_dir() else path
        return Reply(url, 200, {"content-type": _TEXT.get(page.suffix, "application/octet-stream")}, page.read_bytes())
    except FileNotFoundError:
        return Reply(url, 404, {}, b"")
    except OSError as error:
        raise unavailable(url, error.strerror or str(error)) from error
