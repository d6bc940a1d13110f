"""What a shared library needs of the system it is loaded on, from its ELF sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

_TORCH_NAME = rb"_ZNK?(?:3c10|2at|5torch)[^\0]*?"
_NEW_STRING = re.compile(_TORCH_NAME + rb"(?:St7__cxx11|B5cxx11)")
_OLD_STRING = re.compile(_TORCH_NAME + rb"RKSs")


class Linkage(NamedTuple):
    """Names and versions that the dynamic loader has to find; a floor is the newest version of a symbol in use.

    `cxx11_abi`: whether functions of torch, its own or those it calls, take the strings of the C++11 ABI; None where
    no name tells.
    """

    soname: str | None = None
    needed: tuple[str, ...] = ()
    runpath: str | None = None
    glibc: str | None = None
    glibcxx: str | None = None
    cxxabi: str | None = None
    cxx11_abi: bool | None = None


def linkage(library: BinaryIO) -> Linkage | None:
    """Read the dynamic sections of a library; None where it is no ELF file (a DLL) or its sections are not sound."""
    from elftools.common.exceptions import ELFError
    from elftools.construct import ConstructError
    from elftools.elf.elffile import ELFFile

    try:
        elf = ELFFile(library)
        names = elf.get_section_by_name(".dynstr")
        return Linkage(
            *_tags(elf.get_section_by_name(".dynamic")),
            *_floors(elf.get_section_by_name(".gnu.version_r")),
            cxx11_abi=_has_new_strings(names.data()) if names else None,
        )
    except (ELFError, ConstructError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return None


def _tags(dynamic: Any) -> tuple[str | None, tuple[str, ...], str | None]:
    """Name, names of the libraries that it needs, and where to look for them."""
    tags = list(dynamic.iter_tags()) if dynamic else []
    by_name = {tag.entry.d_tag: tag for tag in tags}
    soname, path = by_name.get("DT_SONAME"), by_name.get("DT_RUNPATH") or by_name.get("DT_RPATH")
    needed = tuple(tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED")
    return soname and soname.soname, needed, getattr(path, "runpath", None) or getattr(path, "rpath", None)


def _floors(section: Any) -> tuple[str | None, str | None, str | None]:
    names = list(_needed_versions(section)) if section else []
    return _newest(names, "GLIBC_"), _newest(names, "GLIBCXX_"), _newest(names, "CXXABI_")


def _needed_versions(section: Any) -> Iterator[str]:
    for _, versions in section.iter_versions():
        for version in versions:
            yield version.name


def _newest(names: list[str], prefix: str) -> str | None:
    """The newest of the numbered versions with that prefix: `GLIBC_PRIVATE` is not one."""
    numbers = [name.removeprefix(prefix) for name in names if re.fullmatch(prefix + r"\d+(\.\d+)+", name)]
    return max(numbers, key=NumericVersion.parse, default=None)


def _has_new_strings(names: bytes) -> bool | None:
    if _NEW_STRING.search(names):
        return True
    return False if _OLD_STRING.search(names) else None
