"""What goes wrong at each stage, and that the environment in use then works as before."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import tarfile
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

import compatsolver
from compatsolver.environments.generations.entrance import INTERRUPTED
from compatsolver.errors import BuildFailed, ProbeError, ProofFailed
from environments.generations.conftest import LIB, app
from loopback import HOLD, Listed
from validation.environments import CPU_BUILD, TORCH
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from environments.generations.conftest import Place

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and interpreters as POSIX systems have them")

GATE = "/simple/files/gate"
WAIT = "import os, urllib.request\nurllib.request.urlopen(os.environ['GATE'], timeout=60).read()\n"
"""Code that goes on when the test lets it."""
SWAP_EVENTS = "os.rename,os.symlink,os.remove,shutil.rmtree"
KILLED_AT = """
import os, signal, sys
left, events = int(sys.argv[1]), sys.argv[2].split(",")
def hook(event, arguments):
    global left
    if event in events and ".generations" in str(arguments):
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
sys.addaudithook(hook)
from compatsolver.cli import main
sys.exit(main(sys.argv[3:]))
"""
"""The command, killed before the nth of its changes to the generations and their environment."""


@pytest.fixture
def old(place: Place) -> Place:
    """A place with an environment that works."""
    place.sync(place.lock("one.toml", app("1.0"), LIB), installer="uv")
    return place


@pytest.fixture
def gate(old: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address whose answer is held back until the test says so."""
    monkeypatch.setenv("GATE", old.loopback.address + GATE)
    old.loopback.serve("simple", [Listed("gate", b"open", "gate")])
    old.loopback.faults[GATE] = [HOLD]
    return GATE


def source(name: str) -> Listed:
    """A source archive that waits at the gate while it is built, and needs nothing to be built with."""
    backend = dedent(f"""
        def build_wheel(folder, settings=None, metadata=None):
            {WAIT.replace(chr(10), "; ")}
            raise SystemExit("not to be built")
    """)
    files = {
        "PKG-INFO": f"Metadata-Version: 2.2\nName: {name}\nVersion: 1.0\n",
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        "backend.py": backend,
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{path}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return Listed(f"{name}-1.0.tar.gz", buffer.getvalue(), name)


def killed(place: Place, lock: Path, *flags: str, whole_group: bool) -> None:
    """Kill a sync that is waiting at the gate, with or without what it has started."""
    process = place.start("sync", lock, *flags)
    assert place.loopback.held.wait(60), process.communicate(timeout=60)
    if whole_group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def assert_the_next_one_works(place: Place) -> None:
    """The old environment works; the next sync builds the new one and leaves nothing else there."""
    assert place.version() == "1.0"
    done = place.sync(place.lock("next.toml", app("9.0"), LIB))
    assert done.notes == (INTERRUPTED,)
    assert (place.version(), place.numbers()) == ("9.0", [2, 1])


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_killed_during_download(old: Place, installer: str) -> None:
    lock = old.lock("two.toml", app("2.0"), LIB)
    old.loopback.faults[f"/simple/files/{app('2.0').filename}"] = [HOLD]
    killed(old, lock, "--installer", installer, whole_group=True)
    assert_the_next_one_works(old)
    assert old.left == set()


@pytest.mark.parametrize("installer", ["uv", "pip"])
@pytest.mark.usefixtures("gate")
def test_killed_during_installation_while_the_installer_lives_on(old: Place, installer: str) -> None:
    killed(old, old.lock("two.toml", app("2.0"), LIB, source("slow")), "--installer", installer, whole_group=False)
    assert_the_next_one_works(old)


@pytest.mark.usefixtures("gate")
def test_killed_during_proof(old: Place) -> None:
    killed(old, old.lock("two.toml", app("2.0", WAIT), LIB), whole_group=False)
    assert_the_next_one_works(old)


@pytest.mark.usefixtures("gate")
def test_stopped_by_the_user(old: Place) -> None:
    process = old.start("sync", old.lock("two.toml", app("2.0"), LIB, source("slow")))
    assert old.loopback.held.wait(60)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "stopped; .venv is generation 1\n")
    assert (process.returncode, old.version(), old.left) == (130, "1.0", set())


def test_killed_at_any_step_of_the_swap(old: Place) -> None:
    lock = old.lock("two.toml", app("2.0"), LIB)
    project, kept = old.environment.parent, old.folder / "kept"
    shutil.copytree(project, kept, symlinks=True)
    seen = []
    for step in range(40):
        process = old.start(
            "sync", lock, "--keep", "1", "--prove", "none", program=("-c", KILLED_AT, str(step), SWAP_EVENTS)
        )
        process.communicate(timeout=60)
        seen.append(old.version())
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        assert old.sync(lock, keep=1, prove="none").generation.packages["app"] == "2.0"
        assert (old.version(), old.left) == ("2.0", set())
        shutil.rmtree(project)
        shutil.copytree(kept, project, symlinks=True)
    assert seen == sorted(seen)
    assert {"1.0", "2.0"} == set(seen[:-1])
    assert old.numbers() == [2]


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_a_file_that_is_not_the_locked_one(old: Place, installer: str) -> None:
    locked, other = app("2.0"), app("2.0", "raise SystemExit")
    old.loopback.serve("simple", [Listed(other.filename, other.data, "app", announced=locked.sha256)])
    lock = old.lock("two.toml", locked, LIB)
    with pytest.raises(BuildFailed) as failure:
        old.sync(lock, installer=installer)
    assert "hash" in " ".join(failure.value.output).lower()
    assert failure.value.context[-1] == ".venv is generation 1"
    assert (old.version(), old.left) == ("1.0", set())


def test_a_module_that_cannot_be_imported_fails_the_proof(old: Place) -> None:
    lock = old.lock("two.toml", app("2.0", "raise RuntimeError('no kernel image')"), LIB)
    with pytest.raises(ProofFailed) as failure:
        old.sync(lock)
    assert failure.value.problems == ("imports: import app: RuntimeError: no kernel image",)
    assert (old.version(), old.left) == ("1.0", set())
    assert old.sync(lock, prove="none").status == "built"


def test_a_torch_that_cannot_compute_fails_the_proof(old: Place) -> None:
    torch = Wheel("torch", "2.13.0+cpu", imports=("torch",), code=dedent(TORCH).format(**CPU_BUILD))
    with pytest.raises(ProofFailed) as failure:
        old.sync(old.lock("two.toml", torch, app("2.0"), LIB), device="cpu")
    assert any(problem.startswith("devices: AttributeError") for problem in failure.value.problems)
    assert (old.version(), old.left) == ("1.0", set())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip(f"this user may not mount a small disk: {mounted.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_a_full_disk(place: Place, small_disk: Path, installer: str) -> None:
    place.environment = small_disk / ".venv"
    place.sync(place.lock("one.toml", app("1.0"), LIB))
    large = place.lock("two.toml", app("2.0", f"# {'large ' * 500_000}"), LIB)
    with pytest.raises((BuildFailed, ProbeError)) as failure:
        place.sync(large, installer=installer)
    assert "No space left on device" in str(failure.value)
    assert (place.version(), place.left) == ("1.0", set())
    assert place.sync(place.lock("three.toml", app("3.0"), LIB)).status == "built"


def test_two_at_once(old: Place) -> None:
    lock = old.lock("two.toml", app("2.0"), LIB)
    old.loopback.faults[f"/simple/files/{app('2.0').filename}"] = [HOLD]
    first = old.start("sync", lock)
    assert old.loopback.held.wait(60)
    refused = old.start("sync", lock, "--no-wait")
    assert "another process is at work on .venv" in refused.communicate(timeout=60)[1]
    assert refused.returncode == 6
    with pytest.raises(ProbeError, match="another process"):
        compatsolver.rollback(1, old.environment)
    second = old.start("sync", lock)
    assert second.stderr is not None
    assert second.stderr.readline() == "another process is at work on .venv; waiting for it\n"
    old.loopback.released.set()
    assert "built by" in first.communicate(timeout=60)[0]
    assert "nothing was done" in second.communicate(timeout=60)[0]
    assert (first.returncode, second.returncode, old.version()) == (0, 0, "2.0")
