"""Real installers on what `lock` writes, each into a fresh environment that has nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from venv import EnvBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INSTALLERS: Mapping[str, Sequence[str]] = {
    "pylock": ("uv", "pip", "sync", "--python", "{python}", "pylock.toml"),
    "requirements": ("pip", "--python", "{python}", "install", "--require-hashes", "-r", "requirements.txt"),
    "uv": ("uv", "sync", "--python", "{python}", "--active"),
}
"""Format → the words that install it into the environment of an interpreter."""


def fresh(folder: Path) -> Path:
    """The interpreter of a new environment without packages."""
    EnvBuilder(with_pip=False).create(folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(
    line: Sequence[str], folder: Path, python: Path, variables: Mapping[str, str], seconds: int = 60
) -> subprocess.CompletedProcess[str]:
    """Run pip or uv in a folder on an environment, with none of this machine's settings but the variables."""
    tool, *words = (word.format(python=python) for word in line)
    program = [sys.executable, "-m", "pip"] if tool == "pip" else [str(Path(sys.executable).with_name("uv"))]
    bare = {name: text for name, text in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    bare |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "VIRTUAL_ENV": str(python.parents[1]), **variables}
    return subprocess.run(
        [*program, *words], cwd=folder, env=bare, capture_output=True, encoding="utf-8", timeout=seconds, check=False
    )


def imported(python: Path, *modules: str) -> list[str]:
    """The versions that modules of an environment give of themselves once they are imported there."""
    words = f"import {', '.join(modules)}; print({', '.join(f'{module}.__version__' for module in modules)})"
    done = subprocess.run([python, "-c", words], capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
