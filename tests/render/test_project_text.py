"""What is said of a project that was started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.environments.projects.directory import Placed
from compatsolver.environments.projects.entrance import Project
from compatsolver.render.project_text import project_text
from locks import lock_of

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = Placed(written=("README.md", "train_lora.py", "setup.sh"), unchanged=(".gitignore",), kept=("texts.py",))
PROJECT = Project(Path("my project"), FILES, lock_of())


def test_text_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    written = project_text(PROJECT)
    assert written == golden("project.txt", written)
    assert max(map(len, written.splitlines())) <= 80


def test_nobody_enters_the_directory_they_are_in() -> None:
    assert "  cd " not in project_text(PROJECT._replace(directory=Path()))
