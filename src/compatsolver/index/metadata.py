"""Core metadata of a distribution: what it is and what it requires. Nothing is run to learn it."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, NamedTuple

from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from packaging.metadata import RawMetadata

_FIRST_STATIC = (2, 2)
_MATTERS = frozenset(("requires-dist", "requires-python", "provides-extra", "version"))
LARGEST = 20_000_000


class Metadata(NamedTuple):
    """What resolution needs: `requires` are PEP 508 texts, `extras` normalised names.

    `is_static` says that the installed package will have just this: true of wheels, and of sources whose metadata says
    so (PEP 643).
    """

    name: str
    version: str
    requires: tuple[str, ...]
    requires_python: str | None
    extras: tuple[str, ...]
    is_static: bool


def read_metadata(data: bytes, *, is_wheel: bool) -> Metadata:
    """Read a METADATA or PKG-INFO file; raises ValueError where it names no project or version."""
    from packaging.metadata import parse_email

    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    raw, _ = parse_email(head)
    if "name" not in raw or "version" not in raw:
        raise ValueError("the metadata names no project or no version")
    return Metadata(
        name=canonicalize_name(raw["name"]),
        version=raw["version"],
        requires=tuple(raw.get("requires_dist", ())),
        requires_python=raw.get("requires_python"),
        extras=tuple(canonicalize_name(extra) for extra in raw.get("provides_extra", ())),
        is_static=is_wheel or _is_static(raw),
    )


def of_wheel(file: IO[bytes]) -> bytes:
    """The METADATA file of a wheel; raises ValueError where there is none, or the archive is damaged."""
    import zipfile

    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if _is_metadata(name)]
            if len(names) != 1:
                raise ValueError(f"a wheel with {len(names)} METADATA files")
            if archive.getinfo(names[0]).file_size > LARGEST:
                raise ValueError("a wheel with metadata of unreasonable size")
            return archive.read(names[0])
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise ValueError(f"no readable wheel: {error}") from error


def of_source(file: IO[bytes]) -> bytes:
    """The PKG-INFO file of a source archive (tar); raises ValueError where there is none, or it is damaged."""
    import tarfile

    try:
        with tarfile.open(fileobj=file, mode="r:*") as archive:
            for member in archive:
                if member.isfile() and member.name.count("/") == 1 and member.name.endswith("/PKG-INFO"):
                    content = archive.extractfile(member)
                    return content.read(LARGEST) if content else b""
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ValueError(f"no readable source archive: {error}") from error
    raise ValueError("a source archive without PKG-INFO")


def _is_metadata(name: str) -> bool:
    folder, _, file = name.partition("/")
    return file == "METADATA" and folder.endswith(".dist-info")


def _is_static(raw: RawMetadata) -> bool:
    major, _, minor = raw.get("metadata_version", "0").partition(".")
    is_recent = major.isdigit() and minor.isdigit() and (int(major), int(minor)) >= _FIRST_STATIC
    return is_recent and not _MATTERS & {field.lower() for field in raw.get("dynamic", ())}
