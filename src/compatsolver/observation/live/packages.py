"""Installed packages, read from their files: an environment is not entered, and torch is not imported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.model.probed import Observed
from compatsolver.model.request import normalised
from compatsolver.observation.live.machine import glob_in, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_HEADER = re.compile(r"^(Name|Version):\s*(\S+)\s*$", re.MULTILINE)
_ASSIGNED = re.compile(r"^(__version__|cuda|hip)\b[^=\n]*=\s*(None|['\"][^'\"\n]*['\"])", re.MULTILINE)
_CHANNEL = re.compile(r'"channel":\s*"([^"]+)"')
_CONDA = re.compile(r"(?P<name>.+)-(?P<version>[^-]+)-(?P<build>[^-]+)\.json")
_CONDA_NAMES = {"pytorch": "torch", "pytorch-gpu": "torch"}
_BUILDS_OF_INTEREST = ("torch", "pytorch-cuda", "cudatoolkit", "cuda-version", "cudnn", "nccl")
_BEGINNING = 20_000


class Installed(NamedTuple):
    """A package: its normalised name, its version as pip prints it, and the folder that says so."""

    name: str
    version: str
    folder: Path


def read_installed(folders: Iterable[Path]) -> tuple[Installed, ...]:
    """The packages in folders, the first of which wins where a name is in several; sorted by name."""
    found: dict[str, Installed] = {}
    for folder in folders:
        for each in _in_folder(folder):
            found.setdefault(each.name, each)
    return tuple(found[name] for name in sorted(found))


def observe(folders: Sequence[Path], prefix: Path) -> Iterator[Observed]:
    """What is said beside the versions: torch's build, packages that lie there twice or come from elsewhere."""
    for folder in folders:
        yield from _torch(folder)
        yield from _twice(folder)
        for file in glob_in(folder, "*.dist-info/direct_url.json"):
            name = normalised(file.parent.name.partition("-")[0])
            yield Observed("not_from_index", name, f"{file.parent.name}/direct_url.json")
    yield from _conda_builds(prefix)


def with_builds(installed: Sequence[Installed], rows: Iterable[Observed]) -> dict[str, str]:
    """Versions by name; torch's with the build that its own files name: pip does not print the default index's."""
    versions = {each.name: each.version for each in installed}
    told = next((row.value for row in rows if row.axis == "package:torch" and row.value), None)
    if told and versions.get("torch", told).partition("+")[0] == told.partition("+")[0]:
        versions["torch"] = told
    return versions


def _in_folder(folder: Path) -> Iterator[Installed]:
    for information in glob_in(folder, "*.dist-info"):
        if each := _described(information, information / "METADATA"):
            yield each
    for information in glob_in(folder, "*.egg-info"):
        if each := _described(information, information / "PKG-INFO" if information.is_dir() else information):
            yield each


def _described(information: Path, file: Path) -> Installed | None:
    """The two lines that matter, which stand in the head of a file that may be long."""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            head = lines.read(2000).partition("\n\n")[0]
    except OSError:
        return None
    fields = dict(_HEADER.findall(head))
    if len(fields) != 2:
        return None
    return Installed(normalised(fields["Name"]), fields["Version"], information)


def _torch(folder: Path) -> Iterator[Observed]:
    file = folder / "torch/version.py"
    assigned = {name: value.strip("'\"") for name, value in _ASSIGNED.findall(read_text(file))}
    how = "torch/version.py"
    if version := assigned.get("__version__"):
        yield Observed("package:torch", version, how)
    for name, axis in (("cuda", "torch_cuda"), ("hip", "torch_hip")):
        if value := assigned.get(name):
            yield Observed(axis, value.replace("None", "none"), how)


def _twice(folder: Path) -> Iterator[Observed]:
    """Two records of one package in one folder: an installation that was broken off, or forced over another."""
    seen: dict[str, list[str]] = {}
    for each in _in_folder(folder):
        seen.setdefault(each.name, []).append(each.version)
    for name, versions in seen.items():
        if len(set(versions)) > 1:
            yield Observed("installed_twice", f"{name} {' '.join(versions)}", "dist-info folders")


def _conda_builds(prefix: Path) -> Iterator[Observed]:
    for file in glob_in(prefix, "conda-meta/*.json"):
        match = _CONDA.fullmatch(file.name)
        name = _CONDA_NAMES.get(match["name"], match["name"]) if match else ""
        if match and name in _BUILDS_OF_INTEREST:
            channel = _CHANNEL.search(read_text(file)[:_BEGINNING])
            place = channel[1].rstrip("/").split("/")[-2 if "/" in channel[1] else -1] if channel else "defaults"
            yield Observed(
                "conda_build", f"{name} {match['version']} {match['build']} {place}", f"conda-meta/{file.name}"
            )
