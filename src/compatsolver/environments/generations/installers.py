"""uv, or pip with venv: they create an environment and install a lock into it, every file held against its hashes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.emitters.locked import pythons
from compatsolver.emitters.requirements import BEST_MATCH
from compatsolver.errors import BuildFailed, InputError
from compatsolver.observation.live import here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from compatsolver.model.lock import Lock

UV, PIP = "uv", "pip"
AUTO = "auto"
CHOICES = (AUTO, UV, PIP)
_LAST_LINES = 12
_NOTHING: Mapping[str, str] = {}


class Source(NamedTuple):
    """Where files come from: an index, what the installer has kept of one (`offline`), or a folder alone."""

    wheelhouse: Path | None = None
    offline: bool = False


class Installer(NamedTuple):
    """A tool by its name and the command that starts it."""

    name: str
    command: tuple[str, ...]

    @property
    def creator(self) -> str:
        """What creates the environment that it fills."""
        return "venv" if self.name == PIP else self.name

    def creation(self, path: Path, python: str, prompt: str, source: Source) -> list[str]:
        """The command that creates an empty environment."""
        if self.name == PIP:
            return [_program(python), "-m", "venv", "--without-pip", f"--prompt={prompt}", str(path)]
        offline = ["--offline"] if source.offline or source.wheelhouse else []
        return [*self.command, "venv", "--no-project", f"--prompt={prompt}", "--python", python, *offline, str(path)]

    def installation(self, interpreter: Path, listing: Path, source: Source) -> list[str]:
        """The command that installs a requirements file with hashes, and nothing that is not in it."""
        words = ["--require-hashes", "--no-deps", "-r", str(listing)]
        if source.wheelhouse:
            words += ["--no-index", "--find-links", str(source.wheelhouse)]
        if self.name == PIP:
            quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
            return [*self.command, "--python", str(interpreter), "install", *quiet, *words]
        words += ["--offline"] if source.offline or source.wheelhouse else []
        words += BEST_MATCH.split()
        return [*self.command, "pip", "install", "--python", str(interpreter), *words]


def installer_of(choice: str, source: Source) -> Installer:
    """The tool to use, uv where it is; raises InputError where what was asked for is not here or cannot do it."""
    beside = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))  # noqa: PTH120
    uv = shutil.which(UV, path=beside) if choice != PIP else None
    if uv:
        return Installer(UV, (uv,))
    if choice == UV:
        raise InputError("uv is not here", hint="install it, or use --installer pip")
    if source.offline and not source.wheelhouse:
        raise InputError(
            "pip cannot install from what it has kept alone",
            hint="give a folder that `compatsolver lock --wheelhouse` filled, or install uv",
        )
    return Installer(PIP, (sys.executable, "-m", "pip"))


def python_of(asked: str | None, lock: Lock) -> str:
    """The Python to build with, a path or a version: the one that was named, this one if the lock is for it, or the
    lock's newest."""
    locked = pythons(lock)
    return asked or (sys.executable if here.python() in locked or not locked else locked[-1])


def interpreter_of(path: Path) -> Path:
    """The interpreter of an environment."""
    return path / "Scripts" / "python.exe" if os.name == "nt" else path / "bin" / "python"


def run(
    headline: str,
    command: Sequence[str],
    folder: Path,
    progress: Callable[[str], None],
    variables: Mapping[str, str] = _NOTHING,
) -> None:
    """Run a tool in a folder, with some variables more than this process has, and pass on what it prints.

    Raises BuildFailed with a headline and the last lines.
    """
    last: deque[str] = deque(maxlen=_LAST_LINES)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise BuildFailed(f"{headline}: {command[0]}: {error.strerror or error}", ()) from error
    with process:
        assert process.stdout is not None
        try:
            for line in filter(None, map(str.strip, process.stdout)):
                last.append(line)
                progress(line)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise BuildFailed(f"{headline}: exit code {process.returncode}", tuple(last))


def _program(python: str) -> str:
    """The interpreter that a path or a version means."""
    found = shutil.which(python) or shutil.which(f"python{python}")
    if found is None:
        raise InputError(
            f"there is no Python {python} here", hint="name one with --python PATH, or install uv, which can fetch it"
        )
    return found
