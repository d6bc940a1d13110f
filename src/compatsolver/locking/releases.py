"""The releases of a project on an index: its files gathered by version, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.index.names import SOURCES
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.version import Version

    from compatsolver.index.pages import Project, RemoteFile
    from compatsolver.locking.fit import Fit


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


class Releases(Mapping[str, Release]):
    """The releases of a project by version as PEP 440 spells it, newest first; each is made when it is looked at."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._made: dict[str, Release] = {}

    def __getitem__(self, version: str) -> Release:
        if version not in self._made:
            name, index, releases = self._project
            self._made[version] = Release(name, package_version(version), index, releases[version])
        return self._made[version]

    def __iter__(self) -> Iterator[str]:
        return iter(self._project.releases)

    def __len__(self) -> int:
        return len(self._project.releases)


def _reversed_build(wheel: str) -> tuple[int, str]:
    parts = wheel.split("-")
    if len(parts) != 6:
        return 0, ""
    digits = "".join(mark for mark in parts[2] if mark.isdigit())
    return -int(digits or 0), parts[2]
