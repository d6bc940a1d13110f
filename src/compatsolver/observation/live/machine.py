"""The machine as the sources see it: the one place where files, variables and libraries of it are reached.

Another root makes another machine of a folder: a recorded one, or the file system of an image that is not running.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.observation.live.interpreter import Interpreter, this_interpreter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIVE = Path("/")
LARGEST = 8_000_000
"""Bytes of a file that are read: the longest of interest is the list of system packages."""

_DRIVE = re.compile(r"^[A-Za-z]:")


def load_library(name: str) -> Any | None:
    """The shared library as the loader finds it; None where it does not."""
    import ctypes

    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


class Machine(NamedTuple):
    """A machine to be read.

    `root` is the root of its file system, `environ` its variables, `interpreter` the Python that is asked about, and
    `load` gives a shared library by name or None. `nvml_report` is the command that prints what NVML says.
    """

    root: Path
    environ: Mapping[str, str]
    interpreter: Interpreter
    load: Callable[[str], Any | None]
    nvml_report: tuple[str, ...]

    @property
    def system(self) -> str:
        """`Linux`, `Windows` or `macOS`."""
        return self.interpreter.system

    def path(self, name: str) -> Path:
        """Where a file lies, from its absolute name on the machine; of a recorded machine the drive is dropped."""
        if self.root == LIVE:
            return self.root / name
        return self.root / _DRIVE.sub("", name).replace("\\", "/").lstrip("/")

    def name(self, path: Path) -> str:
        """The absolute name, on the machine, of a file below its root."""
        try:
            return f"/{path.relative_to(self.root).as_posix()}"
        except ValueError:
            return path.as_posix()

    def text(self, name: str) -> str:
        """What a file holds, empty where it is not there or may not be read."""
        return read_text(self.path(name))

    def glob(self, pattern: str) -> list[Path]:
        """The files that match an absolute pattern."""
        return glob_in(self.root, pattern.lstrip("/"))

    def which(self, program: str) -> str | None:
        """The path of a program along PATH, whose relative folders do not count; None where it is not installed."""
        for folder in self.environ.get("PATH", "").split(os.pathsep):
            file = self.path(f"{folder}/{program}")
            if folder.startswith("/") and file.is_file() and os.access(file, os.X_OK):
                return str(file)
        return None


def this_machine() -> Machine:
    """The machine that this interpreter runs on."""
    return Machine(LIVE, os.environ, this_interpreter(), load_library, _nvml_report(sys.executable))


def _nvml_report(executable: str | None) -> tuple[str, ...]:
    """The command that prints what NVML says; empty without a second interpreter or nvidia-ml-py."""
    from importlib.util import find_spec

    found = find_spec("pynvml")
    if not executable or "python" not in Path(executable).name.lower() or found is None or not found.origin:
        return ()
    program = Path(__file__).with_name("nvml_report.py")
    return (executable, "-I", "-S", str(program), str(Path(found.origin).parent))


def read_text(path: Path) -> str:
    """The beginning of a file as text, empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST).decode("utf-8", errors="replace")
    except OSError:
        return ""


def glob_in(folder: Path, pattern: str) -> list[Path]:
    """The files that match, in the order of their names; none where a folder may not be read."""
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []
