"""`pylock.toml`: valid by packaging, installed by uv, and read back by us as it was."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.pylock import Pylock

from compatsolver.emitters import pylock
from compatsolver.model.lock import Accelerator, Lock, LockedFile, LockedPackage
from compatsolver.model.request import Target
from compatsolver.requirements.pylock import read_locked
from indexes import TAG
from locks import located, lock_of, with_packages
from wheels import Wheel

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    from indexes import Indexes

DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
SENTENCES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
NAMES = st.from_regex(r"[a-z]{1,6}(-[a-z0-9]{1,4})?", fullmatch=True)
VERSIONS = st.from_regex(r"[1-9]\.[0-9](\+cu12[0-9])?", fullmatch=True)
MARKERS = st.sampled_from([None, 'sys_platform == "win32"', 'python_version < "3.12" and platform_machine == "AMD64"'])
TARGETS = st.builds(
    Target,
    gpus=st.none() | st.lists(st.sampled_from(["RTX 4090", "8.0"]), max_size=2).map(tuple),
    driver=st.none() | st.just("535.98"),
    python=st.sampled_from(["3.10", "3.12", "3.14t", "3.11.7"]),
    platform=st.sampled_from(["linux-x86_64", "windows-x86_64", "macos-arm64"]),
    glibc=st.none() | st.just("2.35"),
    wsl=st.booleans(),
    container=st.none() | SENTENCES,
    driver_cuda=st.none() | st.just("12.2"),
    assumed=st.just(()),
    probed=st.just(False),
    unread=st.just(()),
    remarks=st.just(()),
)
"""As a lock keeps a target: without how it became known."""


@st.composite
def packages(draw: st.DrawFn) -> LockedPackage:
    """A package with wheels and perhaps a source distribution, or one file that was asked for by its place."""
    name, version = draw(NAMES), draw(VERSIONS)
    stem = f"{name.replace('-', '_')}-{version}"
    direct = draw(st.booleans())
    names = [f"{stem}-py3-none-any.whl"]
    if not direct:
        names += [f"{stem}-cp312-cp312-win_amd64.whl"] * draw(st.integers(0, 1))
        names += [f"{stem}.tar.gz"] * draw(st.integers(0, 1))
    files = [
        LockedFile(
            name=file,
            hashes={"sha256": draw(DIGESTS)},
            **draw(
                st.sampled_from([{"url": f"https://example.org/{file.replace('+', '%2B')}"}, {"path": f"w/{file}"}])
            ),
            size=draw(st.none() | st.integers(1, 10**10)),
        )
        for file in names
    ]
    return LockedPackage(
        name=name,
        version=version,
        files=tuple(files),
        index=None if direct else draw(st.none() | st.just("https://example.org/simple")),
        requires=tuple(draw(st.lists(NAMES, max_size=2))),
        requires_python=draw(st.none() | st.just(">=3.10")),
        marker=draw(MARKERS),
        extras=tuple(draw(st.lists(NAMES, max_size=2))),
        direct=direct,
    )


LOCKS = st.builds(
    Lock,
    packages=st.lists(packages(), max_size=3).map(tuple),
    targets=st.lists(TARGETS, max_size=2).map(tuple),
    requested=st.lists(SENTENCES, max_size=2).map(tuple),
    catalog=st.fixed_dictionaries({"version": SENTENCES, "digest": DIGESTS}),
    conditions=st.lists(SENTENCES, max_size=2).map(tuple),
    notes=st.lists(SENTENCES, max_size=2).map(tuple),
    accelerator=st.just(Accelerator()) | st.just(Accelerator(("8.9", "12.0"), "12.6", "12.6.3", "525.60.13")),
)


@settings(max_examples=60)
@given(LOCKS)
def test_a_lock_is_read_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, lock: Lock) -> None:
    path = tmp_path_factory.getbasetemp() / "pylock.toml"
    path.write_text(pylock.render(lock)["pylock.toml"], encoding="utf-8")
    assert read_locked(path) == lock


def test_the_file_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    (text,) = pylock.render(lock_of()).values()
    assert text == golden("lock.pylock.toml", text)


def test_packaging_selects_the_locked_files() -> None:
    lock = lock_of()
    document = Pylock.from_dict(tomllib.loads(pylock.render(lock)["pylock.toml"]))
    assert [package.name for package in document.packages] == [package.name for package in lock.packages]
    assert str(document.requires_python) == "==3.12.*"
    assert document.tool is not None
    assert document.tool["compatsolver"]["catalog"] == lock.catalog
    assert document.tool["compatsolver"]["requested"] == list(lock.requested)


def test_uv_installs_from_it(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None], tmp_path: Path
) -> None:
    written(pylock.render(indexes.lock))
    done = installer("uv", "pip", "sync", "--target", "here", "pylock.toml")
    assert done.returncode == 0, done.stderr
    installed = {path.name.removesuffix(".dist-info") for path in (tmp_path / "here").glob("*.dist-info")}
    assert installed == {f"{package.name}-{package.version}" for package in indexes.lock.packages}


def test_uv_refuses_it_on_another_machine(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    elsewhere = tuple(target._replace(python="3.99") for target in indexes.lock.targets)
    written(pylock.render(indexes.lock._replace(targets=elsewhere)))
    done = installer("uv", "pip", "sync", "--dry-run", "--target", "here", "pylock.toml")
    assert done.returncode != 0
    assert "3.99" in done.stderr


def test_each_target_gets_its_own_versions(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    lock = indexes.lock
    here, newer = "python_version < '3.99'", "python_version >= '3.99'"
    later = located(Wheel("torch", "2.15.0+cu126", TAG), indexes.pytorch)
    both = (
        *(package._replace(marker=here) for package in lock.packages),
        lock.package("torch")._replace(version="2.15.0+cu126", files=(later,), marker=newer),
    )
    targets = (*lock.targets, lock.targets[0]._replace(python="3.99"))
    written(pylock.render(lock._replace(packages=both, targets=targets)))
    done = installer("uv", "pip", "sync", "--dry-run", "--target", "here", "pylock.toml")
    assert done.returncode == 0, done.stderr
    assert " + torch==2.14.1+cu126" in done.stderr
    assert "2.15.0" not in done.stderr


@pytest.mark.parametrize("where", ["path", "url"])
def test_a_direct_file_is_an_archive(
    where: str,
    indexes: Indexes,
    installer: Callable[..., CompletedProcess[str]],
    written: Callable[..., None],
    tmp_path: Path,
) -> None:
    ours = Wheel("ours", "1.0")
    ours.write(tmp_path)
    indexes.put("default", ours)
    place = {"path": ours.filename, "url": f"{indexes.default}/ours/{ours.filename}"}
    place = {where: place[where]}
    file = LockedFile(ours.filename, {"sha256": ours.sha256}, url=place.get("url"), path=place.get("path"))
    written(pylock.render(with_packages(indexes.lock, LockedPackage("ours", "1.0", (file,), direct=True))))
    done = installer("uv", "pip", "sync", "--target", "here", "pylock.toml")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here" / "ours-1.0.dist-info").is_dir()
