"""Distributions that are asked for by path or address, each a release of its own that nothing else can stand in for."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlsplit

from packaging.utils import canonicalize_name

from compatsolver.errors import InputError
from compatsolver.index.files import download, hash_of
from compatsolver.index.names import SOURCES, project_name
from compatsolver.index.pages import ALGORITHMS, RemoteFile, project_of
from compatsolver.locking.releases import Release, Releases
from compatsolver.requirements.written import EDITABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from compatsolver.index.client import Client

_NAMED = re.compile(r"([\w.-]+)\s*(?:\[([^]]*)\])?\s*@\s*(.*)", re.DOTALL)
_EDITABLE = re.compile(r"(?:-e|--editable)\b")


def read_direct(
    text: str, client: Client, governed: Collection[str], report: Callable[[str], None]
) -> tuple[Release, tuple[str, ...]]:
    """The release that a path or an address names, and the extras asked of it.

    A file without a hash in its address is read, or downloaded, to have one. Raises InputError where it is no file
    that a lock can hold, and for a package that the catalogue governs.
    """
    if _EDITABLE.match(text.strip()):
        raise InputError(f"{text!r} is an editable install, whose contents no lock can hold", hint=EDITABLE)
    named = _NAMED.fullmatch(text.strip())
    extras = tuple(canonicalize_name(extra) for extra in (named[2] or "").split(",") if extra.strip()) if named else ()
    address, fragment = urldefrag((named[3] if named else text).strip())
    file = _located(text, address, fragment)
    name = project_name(file.name)
    if named and canonicalize_name(named[1]) != name:
        raise InputError(f"{text!r} is a file of {name or 'no project'}, not of {named[1]}", hint="check the address")
    found = list(Releases(project_of(name, "", (file,))).values()) if name else []
    if not found:
        raise InputError(f"{text!r} is no wheel and no source archive", hint=EDITABLE)
    if name in governed:
        raise InputError(
            f"{text!r}: the builds of {name} are chosen by the catalogue, which knows nothing of this file",
            hint=f"name the version instead, as in {name}=={found[0].version}",
        )
    hashed = file if file.hashes else file._replace(hashes=_computed(file, client, report))
    return found[0]._replace(files=(hashed,), is_direct=True), extras


def _located(text: str, address: str, fragment: str) -> RemoteFile:
    if "://" not in address:
        path = Path(address).expanduser()
        if path.is_dir():
            raise InputError(f"{text!r} is a source tree, whose contents no lock can hold", hint=EDITABLE)
        if not path.is_file():
            raise InputError(f"{text!r}: there is no such file", hint="check the path")
        address = path.resolve().as_uri()
    if urlsplit(address).scheme not in ("http", "https", "file"):
        raise InputError(f"{text!r} is not the address of a file", hint=EDITABLE)
    algorithm, _, digest = fragment.partition("&")[0].partition("=")
    hashes = {algorithm: digest.lower()} if algorithm in ALGORITHMS else {}
    name = unquote(urlsplit(address).path.rpartition("/")[2])
    return RemoteFile(name=name if name.endswith((".whl", *SOURCES)) else "", url=address, hashes=hashes)


def _computed(file: RemoteFile, client: Client, report: Callable[[str], None]) -> dict[str, str]:
    report(f"{file.name}: its address gives no hash, reading all of it")
    with tempfile.TemporaryDirectory(prefix="compatsolver-") as folder:
        return {"sha256": hash_of(download(client.connection, file, Path(folder)))}
