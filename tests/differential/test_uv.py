"""Our lock beside uv's, on a frozen piece of the default index: the same names, and a reason for what differs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from compatsolver.errors import InsufficientFacts, NoSolution
from frozen import listed, read_frozen
from loopback import running

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LIBRARIES = ("transformers", "peft", "accelerate", "datasets", "bitsandbytes")
TARGET: dict[str, Any] = {"gpu": "RTX 4090", "driver": "580.65.06", "python": "3.12", "platform": "linux-x86_64"}
GLIBC = "2.35"


@pytest.fixture(scope="module")
def index() -> Iterator[str]:
    with running() as loopback:
        yield loopback.serve("simple", listed(read_frozen()))


@pytest.fixture
def ours(index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Locks a torch with the libraries; gives versions by name. PyTorch's indexes are empty, as for uv."""
    monkeypatch.setenv("COMPATSOLVER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)

    def lock(torch: str) -> dict[str, str]:
        indexes: dict[str, Any] = {"index_url": index, "pytorch_index_url": index.replace("simple", "none")}
        made = compatsolver.lock((torch, *LIBRARIES), glibc=GLIBC, **indexes, **TARGET)
        return {package.name: package.version for package in made.packages}

    return lock


@pytest.fixture
def theirs(index: str, tmp_path: Path) -> Any:
    """The same of `uv pip compile` for that target, under constraints."""
    uv = pytest.importorskip("uv")
    bare = {name: text for name, text in os.environ.items() if not name.startswith("UV_")}

    def compile_(torch: str, constraints: Mapping[str, str]) -> dict[str, str]:
        (tmp_path / "in.txt").write_text("\n".join((torch, *LIBRARIES)), encoding="utf-8")
        pins = [f"{name}=={version}\n" for name, version in constraints.items()]
        (tmp_path / "constraints.txt").write_text("".join(pins), encoding="utf-8")
        line = [
            *(uv.find_uv_bin(), "pip", "compile", "in.txt", "--constraint", "constraints.txt"),
            *("--no-config", "--no-header", "--no-annotate", "--quiet"),
            *("--python", sys.executable, "--python-version", "3.12", "--python-platform", "x86_64-manylinux_2_35"),
            *("--cache-dir", str(tmp_path / "uv"), "--default-index", index),
        ]
        done = subprocess.run(line, cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        found = (entry.partition("==") for entry in done.stdout.split())
        return {name: version for name, _, version in found}

    return compile_


def catalogues_reason(torch: str, name: str, version: str) -> str | None:
    """Why the catalogue does not take a release that uv took; None where it has nothing against it."""
    try:
        plan = compatsolver.resolve((torch, *LIBRARIES, f"{name}=={version}"), glibc=GLIBC, **TARGET)
    except NoSolution:
        return "forbidden"
    except InsufficientFacts:
        return "unknown"
    return "known issue" if any(f"{name} {version}" in note for note in plan.notes) else None


@pytest.mark.parametrize(
    ("torch", "reasons", "has_the_same_names"),
    [
        ("torch", {"known issue"}, True),
        ("torch==2.9.1", {"known issue"}, True),
        ("torch==2.2.2", {"forbidden"}, False),  # an older transformers requires other packages
    ],
)
def test_what_differs_from_uv_is_the_catalogues_doing(
    torch: str, reasons: set[str], has_the_same_names: bool, ours: Any, theirs: Any
) -> None:
    """Where uv is held to just those versions for which the catalogue has a reason, it arrives at our lock."""
    mine, free = ours(torch), theirs(torch, {})
    assert (mine.keys() == free.keys()) is has_the_same_names
    differing = {name: free[name] for name in mine.keys() & free.keys() if mine[name] != free[name]}
    found = {name: catalogues_reason(torch, name, version) for name, version in differing.items()}
    explained = {name for name, reason in found.items() if reason}
    assert {found[name] for name in explained} == reasons
    assert theirs(torch, {name: mine[name] for name in explained}) == mine


def test_the_frozen_index_holds_the_whole_closure() -> None:
    """A piece with holes would compare two failures."""
    releases = list(read_frozen())
    names = {release.wheel.name for release in releases}
    assert {"torch", *LIBRARIES, "nvidia-cublas", "markupsafe"} <= names
    assert len(names) > 100
    assert any(release.yanked for release in releases)
