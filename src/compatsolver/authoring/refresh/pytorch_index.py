"""PyTorch's index of one tag (`…/whl/cu130`): builds and Pythons that the torch tables do not say are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.authoring.refresh.files import releases_of, wheel_rows
from compatsolver.authoring.refresh.libraries import known_pythons
from compatsolver.authoring.refresh.proposal import Proposal
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from datetime import date

    from compatsolver.authoring.schema import BuildRow, Tables
    from compatsolver.index.client import Client

PUBLISHED = "yes"


def propose_tag(address: str, client: Client, tables: Tables, day: date) -> Proposal:
    """Corrections for the builds of a tag, which is the last part of the address.

    Raises InputError where the address has no torch, and IndexUnavailable where it cannot be read.
    """
    index = address.rstrip("/")
    tag = index.rpartition("/")[2]
    project = client.project("torch", f"{index}/")
    if project is None:
        raise InputError(f"{address} has no torch", hint="give the index of a tag, as in …/whl/cu130")
    identifier = f"pytorch-index-{tag}"
    releases = {row.version: row for row in tables.torch}
    rows, unknown = [], []
    for version, files in releases_of(project).items():
        local = version.local or ""
        if local != tag:
            continue
        release = releases.get(version.public)
        if release is None:
            unknown.append(f"{version} is on the index, and the tables have no release {version.public}")
            continue
        known = {row.platform: row for row in release.builds if row.build == tag}
        cited = [f"{identifier}#torch {version}"]
        builds = []
        for wheel in wheel_rows(files, None, known_pythons(tables)):
            row = known.get(wheel["platform"])
            stated = _stated(row, wheel)
            if stated:
                head = {"build": tag, "platform": wheel["platform"]}
                builds.append(head | (stated if row else _new(index, stated)) | {"sources": cited})
        if builds:
            rows.append({"version": version.public, "builds": builds})
    sources: dict[str, dict[str, Any]] = {
        identifier: {"title": f"PyTorch's index of {tag}: wheel list", "url": f"{index}/torch/", "retrieved": day}
    }
    return Proposal(sources if rows else {}, torch=rows, remarks=unknown)


def _stated(row: BuildRow | None, wheel: dict[str, Any]) -> dict[str, Any]:
    """The columns in which the index says something else than the row."""
    found = {"published": PUBLISHED, "pythons": wheel["pythons"], "glibc": wheel.get("glibc")}
    if row is None:
        return found
    known = {"published": row.published, "pythons": row.pythons, "glibc": row.glibc}
    changed = {column: value for column, value in found.items() if value is not None and value != known[column]}
    return changed | {"evidence": dict.fromkeys(changed, "artifact-exists")} if changed else {}


def _new(index: str, stated: dict[str, Any]) -> dict[str, Any]:
    """A build that no row has; what the index does not tell is unknown."""
    unknown = dict.fromkeys(("cuda", "cudnn", "nccl", "triton", "archs"))
    columns = {"default_index": False, "index": index, **stated, **unknown}
    return columns | {"evidence": {column: "artifact-exists" for column in stated if stated[column]}}
