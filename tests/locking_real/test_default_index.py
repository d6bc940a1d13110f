"""A lock from the real indexes, installed by real pip and real uv; `nox -s lock` runs it, for it needs the network.

`TORCH_WHEEL` names a CPU wheel of torch for this Python on this disk, which then stands for PyTorch's index.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from compatsolver.index.settings import default_index
from compatsolver.requirements.pylock import read_locked
from installers import INSTALLERS, fresh, imported, install
from process import command

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
LINUX = ("--platform", "linux-x86_64", "--glibc", "2.31", "--python", HERE)
BARE = {"PIP_CONFIG_FILE": os.devnull, **{name: "" for name in os.environ if name.startswith(("PIP_", "UV_"))}}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def locked(folder: Path, cache: Path, *arguments: str) -> None:
    """Lock on the default index, whatever this machine is configured with."""
    line = ("lock", *arguments, *LINUX, "--index-url", default_index())
    done = command(*line, cwd=folder, variables={**BARE, "COMPATSOLVER_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr


def pytorch(folder: Path) -> tuple[str, tuple[str, ...]]:
    """The torch to lock, and where it comes from."""
    wheel = os.environ.get("TORCH_WHEEL")
    if not wheel:
        return "torch==2.13.0+cpu", ()
    project = folder / "whl" / "cpu" / "torch"
    project.mkdir(parents=True)
    name = Path(wheel).name
    (project / name).symlink_to(wheel)
    (project / "index.html").write_text(f'<a href="{name.replace("+", "%2B")}">{name}</a>', encoding="utf-8")
    return f"torch=={name.split('-')[1]}", ("--pytorch-index-url", (folder / "whl").as_uri())


@pytest.mark.parametrize("form", ["pylock", "requirements"])
def test_a_cpu_lock_installs_and_imports(form: str, cache: Path, tmp_path: Path) -> None:
    torch, where = pytorch(tmp_path)
    locked(tmp_path, cache, torch, "rich", "--gpu", "none", "--format", form, *where)
    python = fresh(tmp_path / "venv")
    settings = {"PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1", "UV_CACHE_DIR": str(cache / "uv")}
    done = install(INSTALLERS[form], tmp_path, python, settings, seconds=900)
    assert done.returncode == 0, done.stderr
    assert imported(python, "torch", "sympy", "jinja2")[0] == torch.partition("==")[2]


def test_uv_accepts_the_cuda_lock_of_the_default_index(cache: Path, tmp_path: Path) -> None:
    request = ("torch==2.14.1", "transformers", "peft", "accelerate", "datasets", "bitsandbytes")
    locked(tmp_path, cache, *request, "--gpu", "RTX 4090", "--driver", "580.65.06")
    python = fresh(tmp_path / "venv")
    line = (*INSTALLERS["pylock"], "--dry-run")
    done = install(line, tmp_path, python, {"UV_NO_CONFIG": "1", "UV_CACHE_DIR": str(cache / "uv")}, seconds=300)
    assert done.returncode == 0, done.stderr
    planned = {row.removeprefix(" + ") for row in done.stderr.splitlines() if row.startswith(" + ")}
    packages = read_locked(tmp_path / "pylock.toml").packages
    assert planned == {f"{package.name}=={package.version}" for package in packages}
