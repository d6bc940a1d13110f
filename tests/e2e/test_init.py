"""The command `init` in a process of its own, and the environment that its set-up script makes by pip and by uv."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopback import Listed, running
from process import assert_refused, command
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from loopback import Loopback

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
CPU = ("--gpu", "none", "--python", HERE, "--platform", "linux-x86_64", "--glibc", "2.35")
TAG = "cp{0}-cp{0}-manylinux_2_28_x86_64".format(HERE.replace(".", ""))
TORCH = Wheel("torch", "2.9.1+cpu", TAG, requires=("sympy",), imports=("torch",))
WHEELS = (
    Wheel("sympy", "1.14.0"),
    Wheel("accelerate", "1.15.0"),
    Wheel("huggingface-hub", "0.36.2"),
    Wheel("numpy", "2.2.6"),
    Wheel("numpy", "2.5.5"),
    Wheel("safetensors", "0.8.0"),
    Wheel("tokenizers", "0.22.2"),
    Wheel("transformers", "4.57.1", imports=("transformers",)),
    Wheel("peft", "0.17.1", requires=("torch", "transformers"), imports=("peft",)),
    Wheel("tqdm", "4.67.1", imports=("tqdm",)),
)
BACKEND = """
from pathlib import Path
from zipfile import ZipFile

NAME = "own_kernel-1.0-py3-none-any.whl"
INFO = "own_kernel-1.0.dist-info"

def build_wheel(folder, *_settings):
    import torch
    with ZipFile(Path(folder, NAME), "w") as wheel:
        wheel.writestr("own_kernel.py", f"built_against = {torch.__version__!r}")
        wheel.writestr(f"{INFO}/METADATA", "Metadata-Version: 2.2\\nName: own-kernel\\nVersion: 1.0\\n")
        wheel.writestr(f"{INFO}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{INFO}/RECORD", "")
    return NAME
"""
"""What builds an extension of torch, or fails where it cannot import the torch that is installed."""
linux_alone = pytest.mark.skipif(sys.platform != "linux", reason="the stub wheels are for Linux")


@pytest.fixture(scope="module")
def index() -> Iterator[Loopback]:
    with running() as loopback:
        loopback.serve("whl/cpu", [Listed(TORCH.filename, TORCH.data, TORCH.name)])
        loopback.serve("simple", [Listed(wheel.filename, wheel.data, wheel.name) for wheel in WHEELS])
        yield loopback


def source_archive() -> Listed:
    """A source archive that is built against torch by a backend of its own."""
    files = {
        "PKG-INFO": "Metadata-Version: 2.2\nName: own-kernel\nVersion: 1.0\nRequires-Dist: torch\n",
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        "backend.py": BACKEND,
    }
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"own_kernel-1.0/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, BytesIO(text.encode()))
    return Listed("own_kernel-1.0.tar.gz", buffer.getvalue(), "own-kernel")


def variables(index: Loopback, folder: Path) -> dict[str, str]:
    """Nothing of this machine's configuration; the default index is the one on loopback."""
    unset = {name: "" for name in os.environ if name.startswith(("PIP_", "UV_"))}
    settings = {"COMPATSOLVER_CACHE": folder / "cache", "PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1"}
    indexes = {"PIP_INDEX_URL": f"{index.address}/simple", "UV_DEFAULT_INDEX": f"{index.address}/simple"}
    caches = {"PIP_CACHE_DIR": folder / "pip", "UV_CACHE_DIR": folder / "uv"}
    return {name: str(value) for name, value in {**unset, **settings, **indexes, **caches}.items()}


def init(index: Loopback, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Start a project `first` with the CPU build of torch, on those indexes."""
    urls = ("--index-url", f"{index.address}/simple", "--pytorch-index-url", f"{index.address}/whl")
    return command(
        "init", "first", "torch==2.9.1", *CPU, *urls, *arguments, cwd=folder, variables=variables(index, folder)
    )


def set_up(index: Loopback, folder: Path, tools: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up script with nothing but these directories and the system's on the PATH."""
    settings = {"PATH": f"{tools}:/usr/bin:/bin", "PYTHON": sys.executable}
    environment = os.environ | variables(index, folder) | settings
    return subprocess.run(
        ["sh", "first/setup.sh"], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def tools_of(folder: Path, *names: str) -> str:
    """A directory with these programs of the environment of the tests, and no others."""
    tools = folder / "tools"
    tools.mkdir()
    for name in names:
        found = shutil.which(name, path=str(Path(sys.executable).parent))
        if found is None:
            pytest.skip(f"{name} is not here")
        (tools / name).symlink_to(found)
    return str(tools)


@linux_alone
@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_the_environment_of_a_project_is_what_is_locked(index: Loopback, tmp_path: Path, tool: str) -> None:
    tools = tools_of(tmp_path, *(["uv"] if tool == "uv" else []))
    started = init(index, tmp_path)
    assert started.returncode == 0, started.stderr
    assert "torch 2.9.1+cpu" in started.stdout
    made = set_up(index, tmp_path, tools)
    assert (made.returncode, made.stdout.splitlines()[-1]) == (0, "setup: .venv is ready"), made.stderr
    python = tmp_path / "first" / ".venv" / "bin" / "python"
    program = "import torch, transformers, peft, tqdm; print(torch.__version__)"
    found = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "2.9.1+cpu\n"

    before = len(index.requests)
    again = set_up(index, tmp_path, tools)
    assert (again.returncode, again.stdout) == (0, "setup: .venv holds what is locked\n")
    assert len(index.requests) == before


@linux_alone
def test_what_is_locked_anew_is_set_up_anew(index: Loopback, tmp_path: Path) -> None:
    tools, packages = tools_of(tmp_path, "uv"), tmp_path / "first" / ".venv" / "lib"
    assert init(index, tmp_path, "sympy").returncode == 0
    assert set_up(index, tmp_path, tools).returncode == 0
    assert [*packages.glob("*/site-packages/peft-*")]
    lock = tmp_path / "first" / "requirements.txt"
    lock.write_text(f"sympy==1.14.0 --hash=sha256:{WHEELS[0].sha256}\n", encoding="utf-8")
    assert set_up(index, tmp_path, tools).returncode == 0
    assert {path.name for path in packages.glob("*/site-packages/*.dist-info")} == {"sympy-1.14.0.dist-info"}


def test_an_environment_of_sync_is_left_to_it(index: Loopback, tmp_path: Path) -> None:
    assert init(index, tmp_path).returncode == 0
    (tmp_path / "generation").mkdir()
    (tmp_path / "first" / ".venv").symlink_to(tmp_path / "generation")
    made = set_up(index, tmp_path, tools_of(tmp_path, "uv"))
    assert (made.returncode, "left alone" in made.stderr) == (1, True)
    assert (tmp_path / "first" / ".venv").is_symlink()


@linux_alone
def test_an_extension_is_built_against_the_torch_that_is_locked(index: Loopback, tmp_path: Path) -> None:
    tools = [Wheel(name, "1.0") for name in ("setuptools", "wheel", "packaging", "ninja")]
    index.serve("simple", [Listed(wheel.filename, wheel.data, wheel.name) for wheel in tools])
    index.serve("simple", [source_archive()])
    assert_refused(init(index, tmp_path, "own-kernel"), 2, "--base-image")
    started = init(index, tmp_path, "own-kernel", "--base-image", "python:3.12")
    assert started.returncode == 0, started.stderr
    made = set_up(index, tmp_path, tools_of(tmp_path, "uv"))
    assert made.returncode == 0, made.stderr
    program = "import own_kernel; print(own_kernel.built_against)"
    line = [str(tmp_path / "first" / ".venv" / "bin" / "python"), "-c", program]
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout == "2.9.1+cpu\n"


@linux_alone
def test_a_changed_file_is_not_installed(index: Loopback, tmp_path: Path) -> None:
    assert init(index, tmp_path).returncode == 0
    lock = tmp_path / "first" / "requirements.txt"
    lock.write_text(lock.read_text(encoding="utf-8").replace(WHEELS[-1].sha256, "0" * 64), encoding="utf-8")
    made = set_up(index, tmp_path, tools_of(tmp_path, "uv"))
    assert made.returncode != 0
    assert "tqdm" in made.stderr
    assert not (tmp_path / "first" / ".venv" / "locked").exists()


def test_files_of_others_are_left_alone(index: Loopback, tmp_path: Path) -> None:
    readme = tmp_path / "first" / "README.md"
    readme.parent.mkdir()
    readme.write_text("mine\n", encoding="utf-8")
    assert_refused(init(index, tmp_path), 2, "nothing was written", "README.md", "--keep README.md")
    assert [path.name for path in readme.parent.iterdir()] == ["README.md"]
    kept = init(index, tmp_path, "--keep", "README.md")
    assert (kept.returncode, "README.md (has other contents)" in kept.stdout) == (0, True), kept.stderr
    assert readme.read_text(encoding="utf-8") == "mine\n"
    forced = init(index, tmp_path, "--force", "README.md")
    assert (forced.returncode, "written    README.md\n" in forced.stdout) == (0, True), forced.stderr
    assert readme.read_text(encoding="utf-8").startswith("# first\n")


def test_a_conflict_is_an_answer_and_writes_nothing(index: Loopback, tmp_path: Path) -> None:
    done = init(index, tmp_path, "torch==2.6.0")
    assert done.returncode == 1, done.stderr
    assert "torch==2.6.0" in done.stdout
    assert not (tmp_path / "first").exists()


def test_the_lock_of_a_project_is_one_that_check_reads(index: Loopback, tmp_path: Path) -> None:
    assert init(index, tmp_path).returncode == 0
    assert command("check", tmp_path / "first" / "pylock.toml").returncode == 0
