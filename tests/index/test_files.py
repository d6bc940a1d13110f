"""Downloads: what was received is kept, what is wrong is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.errors import HashMismatch, IndexUnavailable
from compatsolver.index.files import download
from compatsolver.index.pages import RemoteFile
from loopback import CHANGED, TRUNCATED, Listed
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.index.client import Client
    from loopback import Loopback

PEFT = Wheel("peft", "0.17.1")
PATH = f"/simple/files/{PEFT.filename}"


@pytest.fixture
def file(loopback: Loopback) -> RemoteFile:
    loopback.serve("simple", [Listed(PEFT.filename, PEFT.data, "peft")])
    return RemoteFile(PEFT.filename, loopback.address + PATH, {"sha256": PEFT.sha256})


def test_a_broken_transfer_goes_on_where_it_stopped(
    loopback: Loopback, client: Callable[..., Client], file: RemoteFile, tmp_path: Path
) -> None:
    loopback.faults[PATH] = [TRUNCATED, TRUNCATED]
    told: list[int] = []
    path = download(client().connection, file, tmp_path, told.append)
    assert path.read_bytes() == PEFT.data
    assert told[-1] == len(PEFT.data)
    assert loopback.sent == len(PEFT.data)
    download(client().connection, file, tmp_path)
    assert loopback.count(PEFT.filename) == 3


def test_a_transfer_goes_on_in_a_later_run(
    loopback: Loopback, client: Callable[..., Client], file: RemoteFile, tmp_path: Path
) -> None:
    loopback.faults[PATH] = [TRUNCATED, 500, 500, 500]
    with pytest.raises(IndexUnavailable):
        download(client().connection, file, tmp_path)
    assert download(client().connection, file, tmp_path).read_bytes() == PEFT.data
    assert loopback.sent == len(PEFT.data)


def test_other_bytes_are_refused_and_not_kept(
    loopback: Loopback, client: Callable[..., Client], file: RemoteFile, tmp_path: Path
) -> None:
    loopback.faults[PATH] = [CHANGED]
    with pytest.raises(HashMismatch):
        download(client().connection, file, tmp_path)
    assert list(tmp_path.iterdir()) == []
