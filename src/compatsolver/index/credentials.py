"""User names and passwords: from an index's address, else from netrc; never in anything that is written."""

from __future__ import annotations

import netrc
import os
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping


class Credentials(httpx.Auth):
    """Basic authentication by host (`host:port` as an address has it); hosts that are not known are asked of netrc."""

    def __init__(self, known: Mapping[str, tuple[str, str]]) -> None:
        self._known = known
        self._netrc = _read_netrc()

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request with what is known for its host."""
        found = self._known.get(request.url.netloc.decode("ascii")) or self._from_netrc(request.url.host)
        if found:
            yield from httpx.BasicAuth(*found).auth_flow(request)
        else:
            yield request

    def _from_netrc(self, host: str) -> tuple[str, str] | None:
        entry = self._netrc.authenticators(host) if self._netrc else None
        return (entry[0], entry[2] or "") if entry else None


def _read_netrc() -> netrc.netrc | None:
    try:
        return netrc.netrc(os.environ.get("NETRC"))
    except (OSError, netrc.NetrcParseError):
        return None
