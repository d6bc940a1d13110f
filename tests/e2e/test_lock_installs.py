"""What `lock` writes for this machine, installed by real pip and real uv in fresh environments, and imported there."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from application import HERE, TORCH, lock, serving_app, variables
from frozen import listed, read_frozen
from installers import INSTALLERS, fresh, imported, install
from loopback import running
from process import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from loopback import Loopback

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the stub of torch is a wheel for Linux"
)
MODULES = ("torch", "app", "app_core", "quick")
VERSIONS = [f"{TORCH}+cpu", "1.0", "1.2", "2.5"]
FROM_A_FOLDER = {
    "pip": INSTALLERS["requirements"],
    "uv": ("uv", "pip", "sync", "--python", "{python}", "--require-hashes", "requirements.txt"),
}


@pytest.fixture
def index() -> Iterator[Loopback]:
    with serving_app() as loopback:
        yield loopback


def only(index: Loopback, folder: Path) -> dict[str, str]:
    """Settings under which an installer knows of this index alone."""
    default = f"{index.address}/simple/"
    return {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": default,
        "PIP_NO_CACHE_DIR": "1",
        "UV_NO_CONFIG": "1",
        "UV_DEFAULT_INDEX": default,
        "UV_CACHE_DIR": str(folder / "uv"),
        "UV_PYTHON_DOWNLOADS": "never",
    }


@pytest.mark.parametrize("form", INSTALLERS)
def test_a_cpu_lock_installs_and_imports(form: str, index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path, "--format", form).returncode == 0
    python = fresh(tmp_path / "venv")
    done = install(INSTALLERS[form], tmp_path, python, only(index, tmp_path))
    assert done.returncode == 0, done.stderr
    assert imported(python, *MODULES) == VERSIONS
    installed = {path.name for path in (tmp_path / "venv").rglob("*.dist-info")}
    assert len(installed) == len(MODULES)


@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_a_host_whose_only_index_is_the_wheelhouse(tool: str, index: Loopback, tmp_path: Path) -> None:
    """No index answers any more: pip's and uv's configuration name the folder and nothing else."""
    done = lock(index, tmp_path, "--wheelhouse", "house")
    assert done.returncode == 0, done.stderr
    assert "--no-index --find-links" in shlex.join(shlex.split(done.stdout.splitlines()[-1]))
    before = len(index.requests)
    python, house = fresh(tmp_path / "venv"), tmp_path / "house"
    alone = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(house),
        "PIP_NO_CACHE_DIR": "1",
        "UV_NO_CONFIG": "1",
        "UV_NO_INDEX": "1",
        "UV_FIND_LINKS": str(house),
        "UV_CACHE_DIR": str(tmp_path / "uv"),
    }
    installed = install(FROM_A_FOLDER[tool], house, python, alone)
    assert installed.returncode == 0, installed.stderr
    assert imported(python, *MODULES) == VERSIONS
    assert len(index.requests) == before


def test_the_environment_is_the_locked_one(index: Loopback, tmp_path: Path) -> None:
    assert lock(index, tmp_path).returncode == 0
    python = fresh(tmp_path / "venv")
    assert install(INSTALLERS["pylock"], tmp_path, python, only(index, tmp_path)).returncode == 0
    held = ("check", "pylock.toml", "--python", python.parents[1])
    assert command(*held, cwd=tmp_path, variables=variables(tmp_path)).returncode == 0
    shutil.rmtree(next((tmp_path / "venv").rglob("quick-2.5.dist-info")))
    done = command(*held, cwd=tmp_path, variables=variables(tmp_path))
    assert done.returncode == 1
    assert "locked quick 2.5, environment has none" in done.stdout


def test_uv_accepts_the_cuda_lock_of_the_default_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that CUDA needs on Linux, as recorded, with the wheels of this Python; uv plans it and fetches nothing."""
    monkeypatch.setenv("COMPATSOLVER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    tag = f"cp{HERE.replace('.', '')}"
    recorded = [
        row._replace(wheel=row.wheel._replace(tag=row.wheel.tag.replace("cp312", tag))) for row in read_frozen()
    ]
    with running() as loopback:
        urls: dict[str, Any] = {
            "index_url": loopback.serve("simple", listed(recorded)),
            "pytorch_index_url": loopback.address,
        }
        target: dict[str, Any] = {"gpu": "RTX 4090", "driver": "580.65.06", "platform": "linux-x86_64", "glibc": "2.28"}
        made = compatsolver.lock(["torch", "peft"], python=HERE, **target, **urls)
    made.write(tmp_path / "pylock.toml")
    python = fresh(tmp_path / "venv")
    alone = {"UV_NO_CONFIG": "1", "UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path / "uv")}
    done = install((*INSTALLERS["pylock"], "--dry-run"), tmp_path, python, alone)
    assert done.returncode == 0, done.stderr
    planned = {row.removeprefix(" + ") for row in done.stderr.splitlines() if row.startswith(" + ")}
    assert planned == {f"{package.name}=={package.version}" for package in made.packages}
    assert any(row.startswith("nvidia-cublas==") for row in planned)
