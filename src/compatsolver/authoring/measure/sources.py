"""Where the bytes of a wheel come from: a file, an address, or the files that an index has of a release."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from compatsolver.authoring.measure.record import wheel_platform
from compatsolver.authoring.measure.wheel import PIECE
from compatsolver.errors import InputError
from compatsolver.index.files import hash_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.index.client import Client
    from compatsolver.index.pages import Project, RemoteFile

LINUX = "linux-x86_64"


class Source(NamedTuple):
    """A wheel that can be read: its file name, its bytes to seek in, its hash where that is known."""

    name: str
    file: BinaryIO
    sha256: str | None


@contextmanager
def opened(what: str, client: Client, platform: str = LINUX, python: str | None = None) -> Iterator[Source]:
    """The wheel of a path, a URL (with `#sha256=…` its hash is known) or `NAME==VERSION`.

    An index has several wheels of a release: that of `platform` is taken, for `python` or else for the newest one. The
    next index is asked where one has none for it.
    Raises InputError where there is no such wheel and IndexUnavailable where an index or a server does not give it.
    """
    if "://" in what:
        source = _at(what, client)
    elif what.endswith(".whl") or Path(what).is_file():
        source = _local(Path(what))
    else:
        source = _released(what, client, platform, python)
    with source.file:
        yield source


def _local(path: Path) -> Source:
    try:
        return Source(path.name, path.open("rb"), hash_of(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", hint="give a wheel, its address, or NAME==VERSION") from None


def _at(url: str, client: Client) -> Source:
    parts = urlsplit(url)
    name = unquote(parts.path.rpartition("/")[2])
    sha256 = parse_qs(parts.fragment).get("sha256", [None])[0]
    try:
        file = client.open_remote(parts._replace(fragment="").geturl(), read_ahead=PIECE)
    except OSError as error:
        raise InputError(f"{url}: cannot be read: {error.strerror}", hint="check the address") from None
    return Source(name, file, sha256)


def _released(what: str, client: Client, platform: str, python: str | None) -> Source:
    name, version = _pinned(what)
    wheels: list[RemoteFile] = []
    fitting: list[RemoteFile] = []
    for base in client.settings.indexes:
        wheels += _wheels(client.project(name, base), version)
        fitting = [file for file in wheels if _fits(file.name, platform, python)]
        if fitting:
            break
    else:
        raise InputError(_none_fits(what, platform, python, wheels), hint="choose with --platform and --python")
    file = max(fitting, key=lambda entry: _preference(entry.name))
    remote = client.open_remote(file.url, file.size, PIECE)
    return Source(file.name, remote, file.hashes.get("sha256"))


def _fits(name: str, platform: str, python: str | None) -> bool:
    suits = python is None or f"cp{python.replace('.', '')}" in _spoken(name)
    return suits and wheel_platform(_tags(name)) == platform


def _wheels(project: Project | None, version: str) -> list[RemoteFile]:
    return [file for file in project.files if _is_of(file.name, version)] if project else []


def _pinned(what: str) -> tuple[str, str]:
    try:
        requirement = Requirement(what)
    except InvalidRequirement:
        raise InputError(
            f"{what!r}: neither a file nor a requirement", hint="give a wheel, its address, or NAME==VERSION"
        ) from None
    pins = [part.version for part in requirement.specifier if part.operator == "=="]
    if len(pins) != 1 or len(requirement.specifier) != 1:
        raise InputError(f"{what!r} does not name one release", hint="write it as NAME==VERSION")
    return requirement.name, pins[0]


def _is_of(name: str, version: str) -> bool:
    try:
        return name.endswith(".whl") and str(parse_wheel_filename(name)[1]) == version
    except InvalidWheelFilename:
        return False


def _tags(name: str) -> tuple[str, ...]:
    return tuple(str(tag) for tag in parse_wheel_filename(name)[3])


def _spoken(name: str) -> set[str]:
    """What a wheel calls its Pythons: `cp312`, `py3`; with a `t` where it is free-threaded."""
    tags = parse_wheel_filename(name)[3]
    return {f"{tag.interpreter}{'t' if tag.abi.endswith('t') else ''}" for tag in tags}


def _preference(name: str) -> tuple[bool, tuple[int, ...], tuple[int | str, ...]]:
    """With the GIL before without, then the newest Python, then the latest build."""
    spoken = max(_spoken(name), key=len)
    digits = spoken.removeprefix("cp").rstrip("t")
    number = (int(digits[0]), int(digits[1:] or 0)) if digits.isdigit() else (0, 0)
    return (not spoken.endswith("t"), number, parse_wheel_filename(name)[2])


def _none_fits(what: str, platform: str, python: str | None, wheels: Sequence[RemoteFile]) -> str:
    there = sorted({found for file in wheels if (found := wheel_platform(_tags(file.name)))})
    for_python = f" and Python {python}" if python else ""
    only = f"it is there for {', '.join(there)}" if there else "no configured index has a wheel with code of it"
    return f"{what}: no wheel for {platform}{for_python}; {only}"
