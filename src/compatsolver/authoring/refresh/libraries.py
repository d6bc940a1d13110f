"""Releases of a library that the tables lack, and what changed in those they have."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from compatsolver.authoring.refresh.files import page_source, releases_of, wheel_rows
from compatsolver.authoring.refresh.proposal import Proposal
from compatsolver.authoring.refresh.requirements import required
from compatsolver.errors import IndexUnavailable
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from packaging.version import Version

    from compatsolver.authoring.schema import LibraryRelease, Tables
    from compatsolver.index.client import Client
    from compatsolver.index.metadata import Metadata
    from compatsolver.index.pages import Project, RemoteFile


def propose_library(
    project: Project, client: Client, tables: Tables, since: date, day: date, tell: Callable[[str], None]
) -> Proposal:
    """Rows for a package: releases uploaded on `since` or later, and corrections of rows that the index denies.

    `tell` hears of each release before its METADATA is read.
    """
    known = {package_version(row.version): row for row in tables.libraries.get(project.name, ())}
    pythons = known_pythons(tables)
    rows, remarks = [], []
    for version, files in releases_of(project).items():
        if version in known:
            rows += _changed(project.name, known[version], files, pythons)
        elif uploaded(files) >= since:
            tell(f"{project.name} {version}")
            row, said = _release(project.name, version, files, client, tables)
            rows += row
            remarks += said
    remarks += _to_review(project.name, tables.libraries.get(project.name, ()), rows)
    return Proposal(
        page_source(project, day) if rows else {}, libraries={project.name: rows} if rows else {}, remarks=remarks
    )


def known_pythons(tables: Tables) -> Sequence[str]:
    """The Pythons of components.yaml."""
    return next((row.values or [] for row in tables.components if row.name == "python"), [])


def uploaded(files: Sequence[RemoteFile]) -> date:
    """The day of the first upload; an index that does not say is taken to have the release from the beginning."""
    days = [file.uploaded[:10] for file in files if file.uploaded]
    return date.fromisoformat(min(days)) if days else date.min


def metadata_of(files: Sequence[RemoteFile], client: Client) -> Metadata | None:
    """What the release says of itself; None where it has sources alone, which would have to be run."""
    for file in sorted(files, key=lambda entry: (not entry.name.endswith(".whl"), entry.name)):
        found = client.metadata(file)
        if found.is_static:
            return found
    return None


def _release(
    name: str, version: Version, files: Sequence[RemoteFile], client: Client, tables: Tables
) -> tuple[list[dict[str, Any]], list[str]]:
    try:
        metadata = metadata_of(files, client)
    except IndexUnavailable as error:
        return [], [f"{name} {version} is left out: {error.message}"]
    if metadata is None:
        return [], [f"{name} {version} is left out: it has sources alone, whose requirements are not static"]
    pythons = known_pythons(tables)
    needs = required(metadata, {*tables.libraries, "torch"}, pythons)
    row = {
        "version": str(version),
        "released": uploaded(files),
        "yanked": is_yanked(files),
        "requires_python": metadata.requires_python,
        "wheels": wheel_rows(files, metadata.requires_python, pythons),
        "requires": needs.always,
        "extras": needs.extras,
        "evidence": "metadata",
        "sources": [f"pypi-{name}#METADATA and wheel list, {version}"],
    }
    if not needs.extras:
        del row["extras"]
    return [row], [f"{name} {version} also requires, not everywhere: {text}" for text in needs.partly]


def is_yanked(files: Sequence[RemoteFile]) -> bool:
    """Whether every file of a release was yanked."""
    return all(file.yanked is not None for file in files)


def _changed(
    name: str, row: LibraryRelease, files: Sequence[RemoteFile], pythons: Sequence[str]
) -> list[dict[str, Any]]:
    """A correction of a row: yanked since, or wheels for more platforms and Pythons than it lists."""
    changed: dict[str, Any] = {}
    if is_yanked(files) != row.yanked:
        changed["yanked"] = is_yanked(files)
    wheels = wheel_rows(files, row.requires_python, pythons)
    listed = {(wheel.platform, python) for wheel in row.wheels for python in _each(wheel.pythons)}
    platforms = {platform for platform, _ in listed}
    more = [
        (wheel["platform"], python)
        for wheel in wheels
        for python in _each(wheel["pythons"])
        if not {(wheel["platform"], python), (wheel["platform"], "any"), ("any", "any")} & listed
    ]
    if more and platforms:
        changed["wheels"] = wheels
    if not changed:
        return []
    source = f"pypi-{name}#METADATA and wheel list, {row.version}"
    return [{"version": row.version, **changed, "evidence": "metadata", "sources": [source]}]


def _each(pythons: Sequence[str] | str) -> Sequence[str]:
    return [pythons] if isinstance(pythons, str) else pythons


def _to_review(name: str, known: Sequence[LibraryRelease], rows: Sequence[dict[str, Any]]) -> list[str]:
    """What the newest known release has and no METADATA tells: whether it holds of the new ones is for a person."""
    new = [row["version"] for row in rows if "wheels" in row and "requires" in row]
    if not (known and new):
        return []
    said = [f"works with {pair.component} {pair.versions}" for pair in known[0].works_with]
    if known[0].binaries is not None:
        said.append("has native libraries for CUDA (measure the new wheels)")
    return [f"{name} {known[0].version} {text}; decide for {', '.join(new)}" for text in said]
