"""Requirements files: pip and uv install from them what was locked, and refuse what was not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compatsolver.emitters import requirements
from compatsolver.emitters.locked import asked
from compatsolver.model.lock import LockedFile, LockedPackage
from compatsolver.requirements.listfile import read_list_files
from locks import lock_of, with_packages
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    from indexes import Indexes

PIP = ("install", "--dry-run", "--ignore-installed", "--quiet", "--report", "report.json", "-r", "requirements.txt")
UV = ("pip", "sync", "--dry-run", "--require-hashes", "--target", "here", "requirements.txt")
LOCAL = Wheel("ours", "1.0")


def test_files_are_the_golden_ones(golden: Callable[[str, str], str]) -> None:
    files = requirements.render(lock_of())
    assert list(files) == ["requirements.txt", "requirements.in"]
    for name, text in files.items():
        assert text == golden(f"lock.{name}", text)


def test_pip_installs_the_locked_files(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None], tmp_path: Path
) -> None:
    lock = indexes.lock
    written(requirements.render(lock))
    done = installer("pip", *PIP, "--require-hashes")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["install"]
    installed = {entry["metadata"]["name"]: entry["download_info"]["archive_info"]["hashes"] for entry in report}
    assert installed == {package.name: package.files[0].hashes for package in lock.packages}


def test_uv_needs_to_be_told_to_look_at_every_index(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    written(requirements.render(indexes.lock))
    done = installer("uv", *UV, *requirements.BEST_MATCH.split())
    assert done.returncode == 0, done.stderr
    assert {f" + {package.name}=={package.version}" for package in indexes.lock.packages} <= set(
        done.stderr.splitlines()
    )
    assert installer("uv", *UV).returncode != 0


@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_a_changed_file_is_refused(
    tool: str, indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    written(requirements.render(indexes.lock))
    (page,) = (indexes.directory / "default" / "peft").glob("*.html")
    page.unlink()
    indexes.put("default", Wheel("peft", "0.17.1", requires=("torch>=1.14",)))
    uv = [flag for flag in (*UV, *requirements.BEST_MATCH.split()) if flag != "--dry-run"]
    done = installer(tool, *(uv if tool == "uv" else (*PIP, "--require-hashes")))
    assert done.returncode != 0
    assert "hash" in done.stderr.lower()


def test_markers_of_several_targets_choose_among_versions(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    lock = indexes.lock
    here = [package._replace(marker="python_version < '4'") for package in lock.packages]
    elsewhere = [
        package._replace(version=f"{package.version.partition('+')[0]}.post9", marker="python_version >= '4'")
        for package in lock.packages
    ]
    written(requirements.render(lock._replace(packages=(*elsewhere, *here))))
    done = installer("uv", *UV, *requirements.BEST_MATCH.split())
    assert done.returncode == 0, done.stderr
    assert " + torch==2.14.1+cu126" in done.stderr
    assert "post9" not in done.stderr


@pytest.mark.parametrize("where", ["relative path", "absolute path", "URL"])
def test_direct_files_are_installed_from_where_they_are(
    where: str,
    indexes: Indexes,
    installer: Callable[..., CompletedProcess[str]],
    written: Callable[..., None],
    tmp_path: Path,
) -> None:
    path = LOCAL.write(tmp_path)
    indexes.put("pytorch", LOCAL)
    places = {
        "relative path": {"path": LOCAL.filename},
        "absolute path": {"path": str(path)},
        "URL": {"url": f"{indexes.pytorch}/ours/{LOCAL.filename}"},
    }
    place = places[where]
    file = LockedFile(LOCAL.filename, {"sha256": LOCAL.sha256}, url=place.get("url"), path=place.get("path"))
    written(requirements.render(with_packages(indexes.lock, LockedPackage("ours", "1.0", (file,), direct=True))))
    done = installer("uv", *UV, *requirements.BEST_MATCH.split())
    assert done.returncode == 0, done.stderr
    assert any(line.startswith(" + ours") and LOCAL.filename in line for line in done.stderr.splitlines()), done.stderr


def test_what_is_lost_depends_on_the_lock() -> None:
    lock = lock_of()
    assert any("unsafe-best-match" in line for line in requirements.cannot_express(lock))
    plain = lock._replace(packages=tuple(package._replace(index=None) for package in lock.packages))
    assert not any("unsafe-best-match" in line for line in requirements.cannot_express(plain))
    assert "unsafe-best-match" not in requirements.render(plain)["requirements.txt"]


def test_our_own_reader_finds_the_pins(written: Callable[..., None], tmp_path: Path) -> None:
    lock = lock_of()
    written(requirements.render(lock))
    for name, packages in (("requirements.txt", lock.packages), ("requirements.in", asked(lock))):
        listing = read_list_files([tmp_path / name], [], lock.targets[0])
        found = [(entry.name, entry.specifier, entry.extras) for entry in listing.requirements]
        assert found == [(package.name, f"=={package.version}", package.extras) for package in packages]
