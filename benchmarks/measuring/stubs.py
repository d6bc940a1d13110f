"""The catalogue's packages as wheels without contents, for a peer that reads a directory of wheels."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zipfile import ZipFile

from compatsolver.model.component import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog

PLATFORM = "linux-x86_64"


def write_stubs(catalog: Catalog, packages: Iterable[str], directory: Path) -> int:
    """Write a wheel per release of the packages and of all they require; gives their number.

    They hold the requirements of the catalogue's releases and nothing about Python, glibc, GPU or driver: the peer's
    question is the easier one.
    """
    written = 0
    waiting, seen = list(packages), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in catalog.components:
            continue
        seen.add(name)
        for position, candidate in enumerate(catalog.components[name].candidates):
            if candidate.version == NONE or candidate.platform not in (None, PLATFORM):
                continue
            requires = _requires(catalog, name, position)
            _write(directory, name, candidate.spelling, requires)
            waiting += requires
            written += 1
    return written


def _requires(catalog: Catalog, name: str, position: int) -> dict[str, str]:
    if name == "torch":
        triton = catalog.build(position).triton
        return {"triton": f"=={triton}"} if triton else {}
    if name not in catalog.payload["releases"]:
        return {}
    return dict(catalog.release(name, position).requires)


def _write(directory: Path, name: str, version: str, requires: dict[str, str]) -> None:
    """A wheel for any Python, with just what PEP 427 demands."""
    stem = f"{name.replace('-', '_')}-{version}"
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    metadata += [f"Requires-Dist: {required}{specifier}" for required, specifier in requires.items()]
    with ZipFile(directory / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{stem}.dist-info/METADATA", "\n".join(metadata) + "\n")
        wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{stem}.dist-info/RECORD", "")
