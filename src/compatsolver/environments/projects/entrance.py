"""A project from a lock: what it is made of, and where it went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.projects.contents import contents
from compatsolver.environments.projects.directory import Placed, place
from compatsolver.model.request import normalised, project_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.lock import Lock
    from compatsolver.model.options import ProjectOptions

BASICS = ("torch", "transformers", "peft", "tqdm")
"""What the scripts of a project import."""


class Project(NamedTuple):
    """A project that was started: its directory as it was given, what became of each file, and its lock."""

    directory: Path
    files: Placed
    lock: Lock


def with_basics(requires: Sequence[str]) -> list[str]:
    """The requirements, and those of the scripts that none of them names."""
    named = {normalised(project_of(text)) for text in requires}
    return [*requires, *(name for name in BASICS if name not in named)]


def started(directory: str | Path, lock: Lock, options: ProjectOptions) -> Project:
    """Write the project of a lock; see `contents` and `directory.place` for the errors."""
    folder = Path(directory)
    files = contents(lock, folder.resolve().name or "project", options.get("base_image"))
    return Project(folder, place(folder, files, options.get("force", ()), options.get("keep", ())), lock)
