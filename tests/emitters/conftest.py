"""Loopback indexes, and real installers that know of no other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import indexes as loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from indexes import Indexes


@pytest.fixture
def indexes(tmp_path: Path) -> Iterator[Indexes]:
    """A default index and PyTorch's, for this test alone."""
    directory = tmp_path / "indexes"
    directory.mkdir()
    with loopback.serving(directory) as served:
        yield served


@pytest.fixture
def installer(tmp_path: Path, indexes: Indexes) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `pip` or `uv` in `tmp_path` with the loopback index as the default one and nobody's configuration."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    ours |= {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_INDEX_URL": indexes.default,
        "PIP_NO_CACHE_DIR": "1",
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_DEFAULT_INDEX": indexes.default,
        "UV_NO_CONFIG": "1",
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    uv = str(Path(sys.executable).with_name("uv"))

    def run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-m", "pip"] if tool == "pip" else [uv]
        line = [*program, *arguments]
        return subprocess.run(
            line, cwd=tmp_path, env=ours, capture_output=True, encoding="utf-8", timeout=60, check=False
        )

    return run


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., None]:
    """Save rendered files in `tmp_path`."""

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")

    return write
