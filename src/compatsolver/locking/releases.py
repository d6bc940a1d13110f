"""The releases of a project on an index: its files gathered by version, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from packaging.utils import canonicalize_name

from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from packaging.version import Version

    from compatsolver.index.pages import Project, RemoteFile
    from compatsolver.locking.fit import Fit

SOURCES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


class Release(NamedTuple):
    """One version of a project on one index, with its files as the page lists them.

    `position` is the candidate of a package that the catalogue governs. `is_direct` is one that was asked for by its
    address or path.
    """

    name: str
    version: Version
    index: str  # type: ignore[assignment]  # hides tuple.index, which nobody asks of it
    files: tuple[RemoteFile, ...]
    position: int | None = None
    is_direct: bool = False

    @property
    def key(self) -> tuple[Version, str, int | None]:
        """What tells it from the other releases of its project."""
        return self.version, self.index, self.position

    @property
    def is_yanked(self) -> bool:
        """Whether every file of it was withdrawn."""
        return all(file.yanked is not None for file in self.files)

    def wheels(self, fit: Fit) -> list[RemoteFile]:
        """The wheels that install on the target, the most specific first; of equal ones the later build."""
        ranked = [
            (rank, file)
            for file in self.files
            if file.name.endswith(".whl") and (rank := fit.rank(file.name)) is not None
        ]
        ranked.sort(key=lambda entry: (entry[0], _reversed_build(entry[1].name)))
        return [file for _, file in ranked if fit.runs(file.requires_python)]

    def sources(self, fit: Fit) -> list[RemoteFile]:
        """The source archives that the target's Python may build."""
        return [file for file in self.files if file.name.endswith(SOURCES) and fit.runs(file.requires_python)]


def releases_of(project: Project) -> dict[str, Release]:
    """The releases by version as the newest file spells it, newest first; files of no readable version are left out."""
    gathered: dict[str, list[RemoteFile]] = {}
    for file in project.files:
        text = _version_text(file.name, project.name)
        if text:
            gathered.setdefault(text, []).append(file)
    merged: dict[Version, list[RemoteFile]] = {}
    for text, files in gathered.items():
        try:
            merged.setdefault(package_version(text), []).extend(files)
        except ValueError:
            continue
    found = [
        Release(project.name, version, project.index, tuple(merged[version]))
        for version in sorted(merged, reverse=True)
    ]
    return {str(release.version): release for release in found}


def project_name(file: str) -> str | None:
    """The normalised name of the project that a file is of; None where it is no distribution."""
    if file.endswith(".whl"):
        return canonicalize_name(file.partition("-")[0])
    stem = next((file.removesuffix(suffix) for suffix in SOURCES if file.endswith(suffix)), "")
    return canonicalize_name(stem.rpartition("-")[0]) or None


def _version_text(file: str, project: str) -> str | None:
    """The version in a file's name: of a wheel the second part, of a source what follows the project's name."""
    if file.endswith(".whl"):
        parts = file.split("-")
        return parts[1].replace("_", "-") if len(parts) in (5, 6) else None
    for suffix in SOURCES:
        if file.endswith(suffix):
            stem = file.removesuffix(suffix)
            name, _, version = stem.rpartition("-")
            return version if name and canonicalize_name(name) == project else None
    return None


def _reversed_build(wheel: str) -> tuple[int, str]:
    parts = wheel.split("-")
    if len(parts) != 6:
        return 0, ""
    digits = "".join(mark for mark in parts[2] if mark.isdigit())
    return -int(digits or 0), parts[2]
