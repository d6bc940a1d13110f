"""Environments read from their files, held against what pip and the interpreter themselves say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from compatsolver.errors import ProbeError
from compatsolver.observation.live.environments import find_environment
from compatsolver.observation.live.packages import read_installed
from compatsolver.observation.live.surroundings import read_packages

INTERPRETER = "Scripts/python.exe" if os.name == "nt" else "bin/python"
VERSION = ".".join(map(str, sys.version_info[:3]))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real venv, with the records of two packages in it."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    (site,) = find_environment(folder).folders
    record(site, "torch-2.7.1.dist-info", "torch", "2.7.1")
    (site / "torch").mkdir()
    (site / "torch/version.py").write_text("__version__ = '2.7.1+cu126'\ncuda: Optional[str] = '12.6'\n")
    record(site, "Ruamel.Yaml-0.18.6.dist-info", "ruamel.yaml", "0.18.6")
    return folder


def record(site: Path, folder: str, name: str, version: str) -> None:
    (site / folder).mkdir()
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not this one\n"
    (site / folder / "METADATA").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("place", ["", INTERPRETER])
def test_a_folder_or_its_interpreter(environment: Path, place: str) -> None:
    found = read_packages(environment / place)
    assert found.python == VERSION + ("t" if "free-threading" in sys.version else "")
    assert found.packages == {"ruamel-yaml": "0.18.6", "torch": "2.7.1+cu126"}


def test_what_is_read_is_what_the_interpreter_lists() -> None:
    """The environment that runs the tests, listed by the standard library from within."""
    program = (
        "import importlib.metadata as m, json;"
        "print(json.dumps({d.metadata['Name'].lower().replace('_', '-').replace('.', '-'): d.version"
        " for d in reversed(list(m.distributions()))}))"
    )
    listed = json.loads(subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=True).stdout)
    assert find_environment(Path(sys.executable)).prefix == Path(sys.prefix)
    read = {each.name: each.version for each in read_installed(find_environment(Path(sys.executable)).folders)}
    assert read == listed


def test_the_packages_of_the_system_count_where_they_are_shared(tmp_path: Path) -> None:
    base, own = tmp_path / "usr", tmp_path / "venv"
    (base / "bin").mkdir(parents=True)
    for prefix, version in ((base, "1.26.4"), (own, "2.1.0")):
        site = prefix / "lib/python3.11/site-packages"
        site.mkdir(parents=True)
        record(site, f"numpy-{version}.dist-info", "numpy", version)
    record(base / "lib/python3.11/site-packages", "peft-0.13.2.dist-info", "peft", "0.13.2")
    settings = f"home = {base / 'bin'}\nversion = 3.11.7\ninclude-system-site-packages = "
    (own / "pyvenv.cfg").write_text(settings + "true\n", encoding="utf-8")
    assert read_packages(own).packages == {"numpy": "2.1.0", "peft": "0.13.2"}
    (own / "pyvenv.cfg").write_text(settings + "false\n", encoding="utf-8")
    assert read_packages(own).packages == {"numpy": "2.1.0"}


def test_conda_tells_the_version_of_its_python(tmp_path: Path) -> None:
    (tmp_path / "conda-meta").mkdir()
    (tmp_path / "conda-meta/python-3.10.14-hd12c33a_0_cpython.json").write_text("{}", encoding="utf-8")
    (tmp_path / "lib/python3.10/site-packages").mkdir(parents=True)
    found = find_environment(tmp_path)
    assert (found.kind, found.python) == ("conda", "3.10.14")


@pytest.mark.parametrize("place", ["", "missing", "bin/python"])
def test_a_folder_without_packages_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(ProbeError, match="not a Python environment") as caught:
        find_environment(tmp_path / place)
    assert ".venv/bin/python" in (caught.value.hint or "")


def test_a_broken_record_is_passed_over(environment: Path) -> None:
    (site,) = find_environment(environment).folders
    (site / "broken-1.0.dist-info").mkdir(exist_ok=True)
    (site / "broken-1.0.dist-info/METADATA").write_bytes(b"\xff\xfe\x00Name: x")
    assert "broken" not in read_packages(environment).packages
