"""The catalogue's packages without contents, for peers that read a directory of wheels or a conda channel.

They hold the requirements of the catalogue's releases and nothing about Python, glibc, GPU or driver: the peer's
question is the easier one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile

from compatsolver.model.component import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog

PLATFORM = "linux-x86_64"


class Stub(NamedTuple):
    """A release, and by package the versions it requires (PEP 440)."""

    name: str
    version: str
    requires: Mapping[str, str]


def stubs(catalog: Catalog, packages: Iterable[str]) -> Iterator[Stub]:
    """A stub per release of the packages and of all they require."""
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
            yield Stub(name, candidate.spelling, requires)
            waiting += requires


def write_wheels(releases: Iterable[Stub], directory: Path) -> int:
    """Write each as a wheel for any Python, with just what PEP 427 demands; gives their number."""
    written = 0
    for stub in releases:
        _write_wheel(stub, directory)
        written += 1
    return written


def write_channel(releases: Iterable[Stub], directory: Path) -> int:
    """Write them as the index of a conda channel whose packages nobody fetches; gives their number."""
    records = {}
    for stub in releases:
        records[f"{stub.name}-{stub.version}-0.conda"] = {
            "name": stub.name,
            "version": stub.version,
            "build": "0",
            "build_number": 0,
            "depends": [f"{name} {specifier}".strip() for name, specifier in stub.requires.items()],
            "subdir": "noarch",
        }
    subdirectory = directory / "noarch"
    subdirectory.mkdir(parents=True)
    index = {"info": {"subdir": "noarch"}, "packages": {}, "packages.conda": records, "repodata_version": 1}
    (subdirectory / "repodata.json").write_text(json.dumps(index), encoding="utf-8")
    return len(records)


def _requires(catalog: Catalog, name: str, position: int) -> dict[str, str]:
    if name == "torch":
        triton = catalog.build(position).triton
        return {"triton": f"=={triton}"} if triton else {}
    if name not in catalog.payload["releases"]:
        return {}
    return dict(catalog.release(name, position).requires)


def _write_wheel(stub: Stub, directory: Path) -> None:
    stem = f"{stub.name.replace('-', '_')}-{stub.version}"
    metadata = ["Metadata-Version: 2.1", f"Name: {stub.name}", f"Version: {stub.version}"]
    metadata += [f"Requires-Dist: {required}{specifier}" for required, specifier in stub.requires.items()]
    with ZipFile(directory / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{stem}.dist-info/METADATA", "\n".join(metadata) + "\n")
        wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{stem}.dist-info/RECORD", "")
