"""The command `lock` in a process of its own, its exit codes, and real installers on what it writes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest

from application import HERE, TORCH, WHEELS, lock, request, serving_app, variables
from compatsolver.requirements.pylock import read_locked
from loopback import CHANGED
from process import assert_refused, command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from loopback import Loopback


@pytest.fixture
def index() -> Iterator[Loopback]:
    with serving_app() as loopback:
        yield loopback


def test_the_lock_is_written_and_read_again(index: Loopback, tmp_path: Path) -> None:
    done = lock(index, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "pylock.toml: 4 packages, 4 files\n"
    assert "\r" not in done.stderr
    read = read_locked(tmp_path / "pylock.toml")
    assert {package.name: package.version for package in read.packages} == {
        "app": "1.0",
        "app-core": "1.2",
        "quick": "2.5",
        "torch": f"{TORCH}+cpu",
    }
    assert command("check", tmp_path / "pylock.toml").returncode == 0


def test_the_same_request_gives_the_same_bytes(index: Loopback, tmp_path: Path) -> None:
    first = lock(index, tmp_path, "-o", "-").stdout
    assert lock(index, tmp_path, "-o", "-", "--refresh").stdout == first


def test_a_wheelhouse_installs_without_network(index: Loopback, tmp_path: Path) -> None:
    done = lock(index, tmp_path, "--wheelhouse", "house")
    assert done.returncode == 0, done.stderr
    line = done.stdout.splitlines()[-1].partition("without network: ")[2]
    words = shlex.split(line)
    assert words[:3] == ["pip", "install", "--no-index"]
    before = len(index.requests)
    target = ("--target", str(tmp_path / "site"), "--no-compile", "--quiet", "--disable-pip-version-check")
    installed = subprocess.run(
        [sys.executable, "-m", *words, *target], cwd=tmp_path, env=os.environ | variables(tmp_path),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    assert {path.name for path in (tmp_path / "site").glob("*.py")} == {"torch.py", "app.py", "app_core.py", "quick.py"}
    assert len(index.requests) == before


def test_credentials_of_the_index_fetch_the_wheelhouse_and_stay_out_of_it(index: Loopback, tmp_path: Path) -> None:
    with_password = index.address.replace("http://", "http://ann:s3cret@")
    done = lock(index, tmp_path, "--wheelhouse", "house", "--index-url", f"{with_password}/simple")
    assert done.returncode == 0, done.stderr
    sent = [headers.get("Authorization") for headers in index.headers]
    assert sent == [f"Basic {b64encode(b'ann:s3cret').decode()}"] * len(index.requests)
    written = (tmp_path / "pylock.toml", tmp_path / "house" / "requirements.txt")
    assert not any("s3cret" in path.read_text(encoding="utf-8") for path in written)


def test_processes_share_a_cache(index: Loopback, tmp_path: Path) -> None:
    """Each at once from nothing: all come to the same lock, and what they leave is whole."""
    line = [sys.executable, "-m", "compatsolver", *request(index)]
    started = [
        subprocess.Popen([*line, "-o", f"{number}.toml"], cwd=tmp_path, env=os.environ | variables(tmp_path))
        for number in range(3)
    ]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert len({(tmp_path / f"{number}.toml").read_bytes() for number in range(3)}) == 1
    assert lock(index, tmp_path, "--offline").returncode == 0


def test_what_is_cached_is_locked_without_an_http_client(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    line = [sys.executable, "-X", "importtime", "-m", "compatsolver", *request(index, "--offline")]
    done = subprocess.run(
        line, cwd=tmp_path, env=os.environ | variables(tmp_path), capture_output=True, text=True, timeout=60, check=True
    )
    imported = {row.rpartition("|")[2].strip() for row in done.stderr.splitlines()}
    assert "compatsolver.index.client" in imported
    assert not {"httpx", "ssl", "mousebender", "packaging.metadata", "urllib.request"} & imported


def test_a_changed_file_never_reaches_the_wheelhouse(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    quick = f"/simple/files/{WHEELS[5].filename}"
    index.faults[quick] = [CHANGED]
    done = lock(index, tmp_path, "--wheelhouse", "house")
    assert (done.returncode, "is not the file that was announced" in done.stderr) == (6, True)
    assert not list((tmp_path / "house").glob("quick*"))


def test_an_index_that_fails_leaves_the_old_lock(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    old = (tmp_path / "pylock.toml").read_bytes()
    index.faults["/simple/app/"] = [403] * 5
    assert_refused(lock(index, tmp_path, "--refresh"), 6, "403")
    assert (tmp_path / "pylock.toml").read_bytes() == old


def test_a_conflict_is_an_answer(index: Loopback, tmp_path: Path) -> None:
    done = lock(index, tmp_path, "quick<2", "-o", "x.toml")
    assert done.returncode == 1, done.stderr
    assert "app-core 1.2 requires quick>=2" in done.stdout
    assert not (tmp_path / "x.toml").exists()


def test_what_cannot_be_locked_is_refused(index: Loopback, tmp_path: Path) -> None:
    assert_refused(lock(index, tmp_path, "-e", "."), 2, "editable install", "build a wheel")
    assert_refused(lock(index, tmp_path, "absent", "--offline"), 6, "absent", "without --offline")


def test_uv_resolves_the_same_names_and_versions(index: Loopback, tmp_path: Path) -> None:
    """On a frozen index, beside uv: the versions that the catalogue chose are given to it, all others are its own."""
    uv = pytest.importorskip("uv")
    assert lock(index, tmp_path).returncode == 0
    ours = {package.name: package.version for package in read_locked(tmp_path / "pylock.toml").packages}
    (tmp_path / "in.txt").write_text(f"torch=={TORCH}+cpu\napp\n", encoding="utf-8")
    arguments = [
        uv.find_uv_bin(), "pip", "compile", "in.txt", "--no-config", "--no-header", "--no-annotate", "--quiet",
        "--cache-dir", str(tmp_path / "uv"), "--python-version", HERE, "--python-platform", "x86_64-manylinux_2_35",
        "--default-index", f"{index.address}/simple/", "--index", f"{index.address}/whl/cpu/",
    ]  # fmt: skip
    bare = {name: text for name, text in os.environ.items() if not name.startswith("UV_")}
    done = subprocess.run(arguments, cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert dict(line.split("==") for line in done.stdout.split()) == ours
