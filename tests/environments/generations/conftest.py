"""A place where environments are made: real uv and real pip, an index on this machine, and nothing of its settings."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from compatsolver.emitters import pylock
from compatsolver.model.lock import Lock, LockedFile, LockedPackage
from loopback import Listed, running
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compatsolver.model.generation import Synced
    from compatsolver.model.request import Target
    from loopback import Loopback

LIB = Wheel("lib", "1.0", imports=("lib",))


def app(version: str, code: str = "") -> Wheel:
    """A version of the package that the environments are made for."""
    return Wheel("app", version, requires=("lib",), imports=("app",), code=code)


class Place:
    """A folder with locks and an environment."""

    def __init__(self, folder: Path, loopback: Loopback) -> None:
        self.folder = folder
        self.loopback = loopback
        self.environment = folder / "project" / ".venv"

    def lock(self, name: str, *wheels: Wheel | Listed, targets: tuple[Target, ...] = ()) -> Path:
        """Write the lock of some wheels and other files, and have the index serve them; the first is asked for."""
        listed = [
            Listed(wheel.filename, wheel.data, wheel.name) if isinstance(wheel, Wheel) else wheel for wheel in wheels
        ]
        self.loopback.serve("simple", listed)
        catalog = {"version": "0", "digest": "0" * 64}
        lock = Lock(tuple(map(self._package, listed)), targets, (listed[0].project,), catalog)
        path = self.folder / name
        path.write_text(pylock.render(lock)["pylock.toml"], encoding="utf-8")
        return path

    def sync(self, lock: Path, **options: Any) -> Synced:
        """Call the library."""
        return compatsolver.sync(lock, environment=self.environment, **options)

    def start(self, *arguments: str | Path, program: tuple[str, ...] = ("-m", "compatsolver")) -> subprocess.Popen[str]:
        """Start the command in a process group of its own."""
        line = [sys.executable, *program, *map(str, arguments), "--env", str(self.environment)]
        pipe = subprocess.PIPE
        return subprocess.Popen(line, stdout=pipe, stderr=pipe, encoding="utf-8", start_new_session=True)

    def version(self) -> str:
        """What the environment's own interpreter finds there."""
        line = [str(self.environment / "bin" / "python"), "-c", "import app, lib; print(app.__version__)"]
        return subprocess.run(line, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout.strip()

    def numbers(self) -> list[int]:
        """The generations that are kept, newest first."""
        return [generation.number for generation in compatsolver.generations(self.environment).kept]

    @property
    def left(self) -> set[str]:
        """What else lies among the generations."""
        kept = {generation.folder for generation in compatsolver.generations(self.environment).kept}
        names = {path.name for path in self.environment.with_name(".venv.generations").iterdir()}
        return names - kept - {f"{folder}.json" for folder in kept} - {"lock", ".gitignore"}

    def _package(self, listed: Listed) -> LockedPackage:
        url = f"{self.loopback.address}/simple/files/{listed.name.replace('+', '%2B')}"
        version = listed.name.removesuffix(".tar.gz").split("-")[1]
        return LockedPackage(listed.project, version, (LockedFile(listed.name, {"sha256": listed.sha256}, url=url),))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name in os.environ:
        if name.startswith(("PIP_", "UV_", "COMPATSOLVER_")):
            monkeypatch.delenv(name)
    with running() as loopback:
        for variable in ("UV_DEFAULT_INDEX", "PIP_INDEX_URL"):
            monkeypatch.setenv(variable, f"{loopback.address}/simple/")
        monkeypatch.setenv("UV_NO_CONFIG", "1")
        monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "pip"))
        (tmp_path / "project").mkdir()
        yield Place(tmp_path, loopback)
