"""HTTP as an index needs it: credentials, retries with backoff, and a bound on everything that could go on for ever."""

from __future__ import annotations

import ssl
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, url2pathname

import httpx

from compatsolver.errors import IndexUnavailable
from compatsolver.index.credentials import Credentials, without_credentials
from compatsolver.index.transport import OneLookupTransport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.index.settings import Settings

CONNECTIONS = 8
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
    """Few connections to each host, shared by the threads that fetch.

    `pauses` are the seconds between attempts, one attempt more than there are pauses.
    """

    def __init__(self, settings: Settings, pauses: Sequence[float] = PAUSES) -> None:
        self.pauses = pauses
        self.timeout = settings.timeout
        context = ssl.create_default_context(cafile=settings.certificate) if settings.certificate else True
        proxied = {name for name in getproxies() if name in ("http", "https", "all")}
        self._client = httpx.Client(
            auth=Credentials(settings.credentials),
            follow_redirects=True,
            headers={"User-Agent": _AGENT, "Accept-Encoding": "gzip"},
            limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
            max_redirects=10,
            timeout=httpx.Timeout(settings.timeout),
            transport=None if proxied else OneLookupTransport(context, CONNECTIONS),
            verify=context,
        )

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def get(self, url: str, headers: Mapping[str, str] | None = None, largest: int = LARGEST_PAGE) -> Reply:
        """Fetch a whole body, whatever its status; raises IndexUnavailable where no attempt brings an answer."""
        if url.startswith("file:"):
            return _local(url)
        for pause in (*self.pauses, None):
            try:
                reply = self._once(url, headers or {}, largest)
            except httpx.TransportError as error:
                if pause is None or isinstance(error, httpx.UnsupportedProtocol):
                    raise unavailable(url, _words(error)) from error
                time.sleep(pause)
                continue
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise unavailable(url, _words(error)) from error
            if pause is None or reply.status not in _TRY_AGAIN:
                return reply
            time.sleep(max(pause, _retry_after(reply)))
        raise AssertionError("the last attempt returns or raises")

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


def unavailable(url: str, why: str) -> IndexUnavailable:
    """The error for an address that gave no usable answer."""
    return IndexUnavailable(
        f"{urlsplit(url).hostname or 'the index'} gives no usable answer: {why}",
        context=(without_credentials(url),),
        hint="check the address, the proxy and the credentials, or work from the cache with --offline",
    )


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _retry_after(reply: Reply) -> float:
    text = reply.headers.get("retry-after", "")
    return min(float(text), LONGEST_PAUSE) if text.isdigit() else 0.0


def local_path(url: str) -> Path:
    """The path of a `file:` URL."""
    return Path(url2pathname(urlsplit(url).path))


def _local(url: str) -> Reply:
    path = local_path(url)
    try:
        page = path / "index.html" if path.is_dir() else path
        return Reply(url, 200, {"content-type": _TEXT.get(page.suffix, "application/octet-stream")}, page.read_bytes())
    except FileNotFoundError:
        return Reply(url, 404, {}, b"")
    except OSError as error:
        raise unavailable(url, error.strerror or str(error)) from error
