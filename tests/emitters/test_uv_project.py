"""A uv project: `uv lock` and `uv sync` arrive at the locked builds, whatever else the indexes offer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from compatsolver.emitters import uv_project
from compatsolver.model.lock import LockedFile, LockedPackage
from compatsolver.model.request import Target
from locks import lock_of, with_packages
from wheels import Wheel

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    from compatsolver.model.lock import Lock
    from indexes import Indexes


def document(lock: Lock) -> dict[str, Any]:
    return tomllib.loads(uv_project.render(lock)["pyproject.toml"])


def test_files_are_the_golden_ones(golden: Callable[[str, str], str]) -> None:
    files = uv_project.render(lock_of())
    text = files["pyproject.toml"]
    assert text == golden("lock.pyproject.toml", text)
    assert files[".python-version"] == "3.12\n"


def test_uv_locks_and_syncs_the_locked_builds(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None], tmp_path: Path
) -> None:
    lock = indexes.lock
    written(uv_project.render(lock))
    done = installer("uv", "sync")
    assert done.returncode == 0, done.stderr
    packages = tomllib.loads((tmp_path / "uv.lock").read_text(encoding="utf-8"))["package"]
    chosen = {
        entry["name"]: (entry["version"], entry["source"]["registry"], entry["wheels"][0]["hash"])
        for entry in packages
        if "registry" in entry["source"]
    }
    assert chosen == {
        package.name: (
            package.version,
            package.index or indexes.default,
            f"sha256:{package.files[0].hashes['sha256']}",
        )
        for package in lock.packages
    }
    installed = {path.name for path in (tmp_path / ".venv").rglob("*.dist-info")}
    assert installed == {f"{package.name}-{package.version}.dist-info" for package in lock.packages}


def test_a_local_file_is_a_source(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None], tmp_path: Path
) -> None:
    ours = Wheel("ours", "1.0")
    ours.write(tmp_path)
    file = LockedFile(name=ours.filename, hashes={"sha256": ours.sha256}, path=ours.filename)
    lock = with_packages(indexes.lock, LockedPackage("ours", "1.0", (file,), direct=True))
    written(uv_project.render(lock))
    done = installer("uv", "lock")
    assert done.returncode == 0, done.stderr
    assert f'name = "ours"\nversion = "1.0"\nsource = {{ path = "{ours.filename}" }}' in (
        tmp_path / "uv.lock"
    ).read_text(encoding="utf-8")


def test_versions_by_platform_keep_their_markers_and_indexes() -> None:
    lock = lock_of()
    linux = lock.package("torch")._replace(marker="sys_platform == 'linux'")
    mac = linux._replace(version="2.14.1", index=None, marker="sys_platform == 'darwin'")
    both = lock._replace(packages=(mac, linux), targets=(*lock.targets, Target(python="3.12", platform="macos-arm64")))
    found = document(both)
    assert found["project"]["dependencies"] == [
        "torch==2.14.1 ; sys_platform == 'darwin'",
        "torch==2.14.1+cu126 ; sys_platform == 'linux'",
    ]
    assert found["tool"]["uv"]["sources"]["torch"] == {
        "index": "download-pytorch-org-whl-cu126",
        "marker": "sys_platform == 'linux'",
    }
    assert len(found["tool"]["uv"]["environments"]) == 2


def test_several_pythons_are_a_range() -> None:
    lock = lock_of()
    wide = lock._replace(targets=tuple(lock.targets[0]._replace(python=python) for python in ("3.12", "3.10")))
    assert document(wide)["project"]["requires-python"] == ">=3.10,<3.13"
    assert ".python-version" not in uv_project.render(wide)


def test_a_free_threaded_python_is_told_beside_the_project() -> None:
    lock = lock_of()._replace(targets=(lock_of().targets[0]._replace(python="3.14t"),))
    assert document(lock)["project"]["requires-python"] == "==3.14.*"
    assert uv_project.render(lock)[".python-version"] == "3.14t\n"
