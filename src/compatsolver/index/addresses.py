"""Addresses: without their credentials, as paths of this machine, and as what gave no usable answer."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from compatsolver.errors import IndexUnavailable

if TYPE_CHECKING:
    from pathlib import Path


def without_credentials(url: str) -> str:
    """An address without the user and password in it."""
    return split_credentials(url)[0]


def split_credentials(url: str) -> tuple[str, str, tuple[str, str] | None]:
    """An address without its user and password, its host (with the port), and the two where it had them."""
    parts = urlsplit(url)
    user_info, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, host, None
    user, _, password = user_info.partition(":")
    return urlunsplit(parts._replace(netloc=host)), host, (unquote(user), unquote(password))


def local_path(url: str) -> Path:
    """The path of a `file:` URL."""
    from pathlib import Path
    from urllib.request import url2pathname

    return Path(url2pathname(urlsplit(url).path))


def unavailable(url: str, why: str) -> IndexUnavailable:
    """The error for an address that gave no usable answer."""
    return IndexUnavailable(
        f"{urlsplit(url).hostname or 'the index'} gives no usable answer: {why}",
        context=(without_credentials(url),),
        hint="check the address, the proxy and the credentials, name a mirror, or work from the cache with --offline",
    )
