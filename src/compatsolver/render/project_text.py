"""A project that was started, as text at 80 columns; commands are left whole."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.environments.projects.contents import commands, is_windows, locked_words
from compatsolver.render.lines import labelled, wrapped

if TYPE_CHECKING:
    from compatsolver.environments.projects.entrance import Project


def project_text(project: Project) -> str:
    """What was written, what was left alone, and the commands to go on with, a newline at the end."""
    files = project.files
    parts = [
        wrapped(f"{project.directory}: a project for LoRA fine-tuning"),
        [
            *labelled("locked", locked_words(project.lock)),
            *labelled("written", ", ".join(files.written)),
            *labelled("unchanged", ", ".join(files.unchanged)),
            *labelled("kept", ", ".join(f"{name} (has other contents)" for name in files.kept)),
        ],
        ["from here to a falling loss:", *(f"  {line}" for line in (*_entering(project), *commands(project.lock)))],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _entering(project: Project) -> tuple[str, ...]:
    if project.directory == Path():
        return ()
    text = str(project.directory)
    return (f'cd "{text}"' if is_windows(project.lock) else f"cd {shlex.quote(text)}",)
