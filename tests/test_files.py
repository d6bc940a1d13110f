"""Files are written whole or not at all, and what is no file keeps being what it is."""

from __future__ import annotations

import os
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from compatsolver.files import replace, replacing

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_there_stays_where_the_block_fails(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    file.write_text("old")
    with pytest.raises(KeyError), replacing(file, b"new"):
        raise KeyError
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"lock": "old"}


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    replace(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("name", [".", "folder", "folder/"])
def test_a_folder_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IsADirectoryError):
        replace(tmp_path.__class__(name), b"new")


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        replace(tmp_path / "loop", b"new")
    assert (tmp_path / "loop").is_symlink()


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    replace(pipe, b"new")
    reader.join(10)
    assert (received, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"new"], True)
