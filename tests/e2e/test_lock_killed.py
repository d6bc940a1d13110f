"""A process that is killed while it locks: what it would have replaced is whole, and the next run goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from application import WHEELS, lock, request, serving_app, variables
from loopback import HOLD, Listed

pytest.importorskip("resource", reason="limits and signals of POSIX")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from loopback import Loopback

QUICK = WHEELS[5]
HELD = f"/simple/files/{QUICK.filename}"

DIES_MID_WRITE = """
import resource, signal, sys
from compatsolver.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
main(sys.argv[1:])
"""
"""The system kills it once a file it writes has 300 bytes."""

DIES_AT_RENAME = """
import os, pathlib, signal, sys
from compatsolver.cli import main
renamed = []
def watch(event, arguments):
    if event == "os.rename" and pathlib.Path(arguments[1]).resolve().parent == pathlib.Path.cwd():
        renamed.append(arguments)
        if len(renamed) == int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
main(sys.argv[2:])
"""
"""Kills itself when a file is about to get its name, at the first or the second one."""


@pytest.fixture
def index() -> Iterator[Loopback]:
    with serving_app() as loopback:
        yield loopback


def contents(folder: Path) -> dict[str, bytes]:
    """The files that people and installers see there."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and "." not in path.name[:1]}


def dying(script: str, folder: Path, *arguments: str) -> int:
    """Run a script in a folder; gives the signal that ended it."""
    line = [sys.executable, "-c", script, *arguments]
    environment = os.environ | variables(folder)
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode < 0, done.stderr
    return -done.returncode


def started(index: Loopback, folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "compatsolver", *request(index, *arguments)]
    return subprocess.Popen(line, cwd=folder, env=os.environ | variables(folder), stderr=subprocess.DEVNULL)


def killed_when(process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    """Kill a process once it has come so far."""
    give_up = time.monotonic() + 30
    while not ready() and process.poll() is None and time.monotonic() < give_up:
        time.sleep(0.01)
    process.kill()
    assert process.wait(10) == -signal.SIGKILL
    assert ready()


def test_killed_in_the_middle_of_the_lock(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    before = contents(tmp_path)
    arguments = request(index, "quick", "--offline")  # the cache is complete, so the lock is all that is written
    assert dying(DIES_MID_WRITE, tmp_path, *arguments) == signal.SIGXFSZ
    assert contents(tmp_path) == before
    (half,) = tmp_path.glob(".pylock.toml.*")
    assert half.stat().st_size == 300
    assert lock(index, tmp_path, "quick", "--offline").returncode == 0
    assert contents(tmp_path) != before


@pytest.mark.parametrize("form", ["uv", "requirements", "dockerfile"])
def test_killed_between_the_files_of_a_format(form: str, index: Loopback, tmp_path: Path) -> None:
    """All are written before the first gets its name, and the main one gets it last."""
    assert lock(index, tmp_path, "--format", form).returncode == 0
    before = contents(tmp_path)
    arguments = request(index, "quick", "--format", form, "--offline")
    assert dying(DIES_AT_RENAME, tmp_path, "1", *arguments) == signal.SIGKILL
    assert contents(tmp_path) == before
    assert dying(DIES_AT_RENAME, tmp_path, "2", *arguments) == signal.SIGKILL
    between = contents(tmp_path)
    assert lock(index, tmp_path, "quick", "--format", form, "--offline").returncode == 0
    after = contents(tmp_path)
    assert all(text in (before[name], after[name]) for name, text in between.items())


def test_killed_while_the_index_answers(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    before = contents(tmp_path)
    index.faults["/simple/quick/"] = [HOLD]
    seen = len(index.requests)
    killed_when(started(index, tmp_path, "quick", "--refresh"), lambda: "/simple/quick/" in index.requests[seen:])
    assert contents(tmp_path) == before
    assert lock(index, tmp_path, "quick", "--offline").returncode == 0  # the cache is as good as it was


def test_killed_in_the_middle_of_a_download(index: Loopback, tmp_path: Path) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(QUICK.data)) as small, zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ballast", random.Random(0).randbytes(500_000))
        for name in small.namelist():
            archive.writestr(name, small.read(name))
    data = buffer.getvalue()
    kept = [file for file in index.indexes["simple"] if file.name != QUICK.filename]
    index.indexes["simple"] = [*kept, Listed(QUICK.filename, data, "quick")]
    assert lock(index, tmp_path).returncode == 0
    index.faults[HELD] = [HOLD]
    part = tmp_path / "house" / f"{QUICK.filename}.part"
    process = started(index, tmp_path, "--offline", "--wheelhouse", "house")
    killed_when(process, lambda: part.exists() and part.stat().st_size > 0)
    there = part.stat().st_size
    assert not part.with_suffix("").exists()
    assert not (tmp_path / "house" / "requirements.txt").exists()
    seen = len(index.requests)
    assert lock(index, tmp_path, "--offline", "--wheelhouse", "house").returncode == 0
    assert part.with_suffix("").read_bytes() == data
    assert not part.exists()
    assert index.headers[index.requests.index(HELD, seen)]["Range"] == f"bytes={there}-"
