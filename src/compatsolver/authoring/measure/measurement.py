"""What was measured in a wheel, as frozen values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.authoring.measure.linkage import Linkage


class Library(NamedTuple):
    """A shared library in a wheel: bytes, the fat binaries in it and in how many of them a target has code.

    `targets` newest first, machine code before PTX. `linkage` is None where it is no ELF file.
    """

    path: str
    size: int
    fat_binaries: int
    targets: Mapping[str, int]
    linkage: Linkage | None


class Measurement(NamedTuple):
    """What is inside a wheel. `requires` as METADATA declares it, `tags` of the file's name.

    `variables`: the constants of `version.py` of the package of that name. `bundled`: the CUDA libraries that the
    wheel brings along. Floors are the highest of any library's; `cxx11_abi` is None where no library tells.
    """

    wheel: str
    size: int
    name: str
    version: str
    tags: tuple[str, ...]
    requires_python: str | None
    requires: tuple[str, ...]
    variables: Mapping[str, str | bool | None]
    libraries: tuple[Library, ...]
    bundled: tuple[str, ...]
    glibc: str | None
    glibcxx: str | None
    cxx11_abi: bool | None
