"""Releases of torch that the tables lack, as the default index has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.authoring.measure.record import stack_requirements, wheel_platform
from compatsolver.authoring.measure.wheel import constants
from compatsolver.authoring.refresh.files import page_source, releases_of, tags_of, wheel_rows
from compatsolver.authoring.refresh.libraries import known_pythons, uploaded
from compatsolver.authoring.refresh.proposal import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from packaging.version import Version

    from compatsolver.authoring.schema import Tables
    from compatsolver.index.client import Client
    from compatsolver.index.pages import Project, RemoteFile

CPU = "cpu"


def propose_torch(
    project: Project, client: Client, tables: Tables, since: date, day: date, tell: Callable[[str], None]
) -> Proposal:
    """Releases uploaded on `since` or later, with the builds of the default index.

    Of each build one wheel's METADATA and `version.py` are read by ranges; its targets stay unknown until it is
    measured.
    """
    known = {row.version for row in tables.torch}
    rows = []
    for version, files in releases_of(project).items():
        if str(version) not in known and uploaded(files) >= since:
            tell(f"torch {version}")
            rows.append(_release(version, files, client, known_pythons(tables)))
    remarks = [
        f"torch {row['version']} {build['platform']}: measure the wheel to know its targets"
        for row in rows
        for build in row["builds"]
        if build["archs"]
    ]
    return Proposal(page_source(project, day) if rows else {}, torch=rows, remarks=remarks)


def _release(version: Version, files: Sequence[RemoteFile], client: Client, pythons: Sequence[str]) -> dict[str, Any]:
    by_platform: dict[str, list[RemoteFile]] = {}
    for file in files:
        platform = wheel_platform(tags_of(file.name)) if file.name.endswith(".whl") else None
        if platform:
            by_platform.setdefault(platform, []).append(file)
    builds = [_build(version, platform, wheels, client, pythons) for platform, wheels in sorted(by_platform.items())]
    return {
        "version": str(version),
        "released": uploaded(files),
        "complete": False,
        "sources": [f"pypi-torch#wheel list and upload times, {version}"],
        "builds": sorted(builds, key=lambda row: (row["build"] == CPU, row["build"], row["platform"])),
    }


def _build(
    version: Version, platform: str, wheels: Sequence[RemoteFile], client: Client, pythons: Sequence[str]
) -> dict[str, Any]:
    file = max(wheels, key=lambda entry: (max(tags_of(entry.name)), entry.name))
    metadata = client.metadata(file)
    with client.open_remote(file.url, file.size) as remote:
        said = constants(remote, file.name)
    pins = stack_requirements(metadata.requires, tags_of(file.name), platform)
    listed = wheel_rows(wheels, metadata.requires_python, pythons)[0]
    cuda = said.get("cuda") or None
    source = f"pypi-torch#METADATA and wheel list, {version}"
    row = {
        "build": str(said.get("__version__", "")).partition("+")[2] or CPU,
        "platform": platform,
        "cuda": pins.get("cuda-toolkit", "").removeprefix("==") or cuda,
        "published": "yes",
        "default_index": True,
        "index": None,
        "pythons": listed["pythons"],
        "glibc": listed.get("glibc"),
        "cudnn": _pin(pins, "nvidia-cudnn-"),
        "nccl": _pin(pins, "nvidia-nccl-"),
        "triton": pins.get("triton"),
        "archs": {"sass": None, "ptx": None, "evidence": "inferred", "sources": [source]} if cuda else None,
    }
    stated = {column: "metadata" for column in ("cuda", "cudnn", "nccl", "triton") if row[column]}
    shown = {column: "artifact-exists" for column in ("published", "pythons", "glibc") if row[column]}
    return row | {"evidence": shown | stated, "sources": [source]}


def _pin(pins: dict[str, str], prefix: str) -> str | None:
    found = [text.removeprefix("==") for name, text in pins.items() if name.startswith(prefix)]
    return found[0] if found else None
