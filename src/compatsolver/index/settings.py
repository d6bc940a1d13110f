"""Which indexes are asked, in which order, and how: flags, then the environment, then uv's and pip's files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from compatsolver.errors import InputError
from compatsolver.index.addresses import split_credentials
from compatsolver.index.configuration import Configured, pip_environment, pip_files, uv_environment, uv_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TIMEOUT = 30.0
CONNECTIONS = 8
"""How many connections are open at once, and how many threads fetch."""
_NOTHING: Mapping[str, tuple[str, str]] = {}
_NO_PROXIES: Mapping[str, str] = {}
_WHY_UNUSED = {
    "find-links": "a lock names files of an index",
    "keyring-provider": "credentials are taken from the index's address or from netrc",
    "trusted-host": "certificates are always checked; `cert` names an authority of your own",
    "allow-insecure-host": "certificates are always checked; SSL_CERT_FILE names an authority of your own",
    "exclude-newer": "a lock takes what the index lists today",
}


class Settings(NamedTuple):
    """Where packages come from.

    `indexes` are base addresses without credentials, in the order they are asked: the first that has a project serves
    it alone. `primary` is the one that stands for the default package index. `credentials` maps a host to user and
    password. `proxies` are by scheme, as `urllib.request.getproxies` has them; where there are none the environment
    counts. `timeout` is in seconds. `notes` tells which configuration was used, and what of it was not.
    """

    indexes: tuple[str, ...]
    primary: str
    credentials: Mapping[str, tuple[str, str]] = _NOTHING
    constraints: tuple[Path, ...] = ()
    certificate: str | None = None
    timeout: float = TIMEOUT
    proxies: Mapping[str, str] = _NO_PROXIES
    notes: tuple[str, ...] = ()


def read_settings(index_url: str | None = None, extra_index_urls: Sequence[str] = ()) -> Settings:
    """The settings that hold here and now. Addresses given in the call replace all configured ones.

    For each setting the first source that has it counts: uv's variables, pip's variables, uv's files, pip's files.
    Raises InputError where a configuration file cannot be read, an address is none, or no index may be asked.
    """
    sources = [uv_environment(os.environ), pip_environment(os.environ), *uv_files(Path.cwd()), *pip_files(os.environ)]
    given = Configured("the call", index_url, tuple(extra_index_urls))
    chosen = [given] if index_url or extra_index_urls else sources
    forbidden = None if chosen == [given] else _first(sources, "no_index")
    if forbidden:
        raise InputError(
            f"no-index of {forbidden.name}: there is no index to take packages from",
            hint="name one with --index-url, which may be a folder of this machine",
        )
    primary = _first(chosen, "index_url")
    extra = _first(chosen, "extra_index_urls")
    addresses = [*(extra.extra_index_urls if extra else ()), (primary and primary.index_url) or default_index()]
    split = [split_credentials(_checked(address)) for address in addresses]
    certificate = _first(sources, "certificate")
    timeout = _first(sources, "timeout")
    proxies = _first(sources, "proxies")
    constraints = [path for source in sources for path in source.constraints]
    return Settings(
        indexes=tuple(dict.fromkeys(address for address, _, _ in split)),
        primary=split[-1][0],
        credentials={host: pair for _, host, pair in split if pair},
        constraints=tuple(dict.fromkeys(constraints)),
        certificate=certificate.certificate if certificate else None,
        timeout=max(1.0, timeout.timeout or TIMEOUT) if timeout else TIMEOUT,
        proxies=proxies.proxies if proxies else _NO_PROXIES,
        notes=tuple(_notes(chosen, primary, extra, sources)),
    )


def default_index() -> str:
    """The simple API of the default package index, beside the address that distlib holds of it."""
    from distlib.index import DEFAULT_INDEX  # type: ignore[import-untyped]

    return urljoin(str(DEFAULT_INDEX), "/simple/")


def _first(sources: Sequence[Configured], setting: str) -> Configured | None:
    return next((source for source in sources if getattr(source, setting)), None)


def _checked(address: str) -> str:
    """An address as an index has it: http, https or file, ending in a slash; a path of this machine is made one."""
    if "://" not in address:
        path = Path(address)
        if not path.is_dir():
            raise InputError(f"{address!r} is not the address of a package index", hint="give it as https://…/simple")
        address = path.resolve().as_uri()
    if address.partition("://")[0] not in ("http", "https", "file"):
        raise InputError(f"{address!r} is not the address of a package index", hint="give it as https://…/simple")
    return address if address.endswith("/") else f"{address}/"


def _notes(
    chosen: Sequence[Configured], primary: Configured | None, extra: Configured | None, sources: Sequence[Configured]
) -> list[str]:
    used = dict.fromkeys(source.name for source in (extra, primary) if source and source.name != chosen[0].name)
    notes = [f"the package indexes are those of {' and '.join(used)}"] if used else []
    notes += [f"constraints of {path} hold, as {source.name} asks" for source in sources for path in source.constraints]
    return notes + [
        f"{setting} of {source.name} is not used: {_WHY_UNUSED[setting]}"
        for source in sources
        for setting in source.unused
    ]
