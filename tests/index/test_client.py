"""What the client learns of an index, with how many requests, and what it does where the index misbehaves."""

from __future__ import annotations

import random
import socket
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from compatsolver.errors import HashMismatch, IndexUnavailable, NotCached
from loopback import CHANGED, DRIP, LOOP, TRUNCATED, Listed
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.index.client import Client
    from compatsolver.index.pages import RemoteFile
    from loopback import Loopback

    MakeClient = Callable[..., Client]

PEFT = Wheel(
    "peft", "0.17.1", requires=("torch>=1.13", "rich; extra == 'dev'"), requires_python=">=3.9", extras=("dev",)
)
OLDER = Wheel("peft", "0.16.0")


def listed(wheel: Wheel, **said: Any) -> Listed:
    return Listed(wheel.filename, wheel.data, wheel.name, requires_python=wheel.requires_python, **said)


def large(wheel: Wheel) -> bytes:
    """The wheel with half a megabyte in front of what it had."""
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(wheel.data)) as small, zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ballast", random.Random(0).randbytes(500_000))
        for name in small.namelist():
            archive.writestr(name, small.read(name))
    return buffer.getvalue()


def only_file(client: Client, name: str = "peft") -> RemoteFile:
    project = client.project(name)
    assert project
    assert len(project.files) == 1
    return project.files[0]


@pytest.mark.parametrize("speaks_json", [True, False])
def test_a_page_says_the_same_in_either_form(loopback: Loopback, client: MakeClient, speaks_json: bool) -> None:
    loopback.serve("simple", [listed(PEFT, metadata=PEFT.metadata), listed(OLDER, yanked=True, hashed=False)])
    loopback.speaks_json = speaks_json
    project = client().project("PEFT")
    assert project
    new, old = project.files
    assert (new.name, new.requires_python, new.yanked) == (PEFT.filename, ">=3.9", None)
    assert new.url == f"{loopback.address}/simple/files/{PEFT.filename}"
    assert new.hashes == {"sha256": PEFT.sha256}
    assert new.metadata
    assert (old.hashes, old.yanked, old.metadata) == ({}, "", None)


def test_metadata_of_a_large_wheel_takes_little_of_it(loopback: Loopback, client: MakeClient) -> None:
    data = large(PEFT)
    loopback.serve("simple", [Listed(PEFT.filename, data, "peft")])
    one = client()
    found = one.metadata(only_file(one))
    assert (found.name, found.version, found.requires_python) == ("peft", "0.17.1", ">=3.9")
    assert found.requires == PEFT.requires
    assert found.extras == ("dev",)
    assert loopback.count("/files/") <= 2
    assert loopback.sent < len(data) / 2


def test_a_server_without_ranges_sends_the_whole(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("simple", [Listed(PEFT.filename, large(PEFT), "peft")])
    loopback.knows_ranges = False
    one = client()
    assert one.metadata(only_file(one)).requires == PEFT.requires
    assert loopback.count("/files/") == 1


def test_metadata_beside_the_file_is_preferred_and_checked(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("simple", [listed(PEFT, metadata=PEFT.metadata)])
    one = client()
    file = only_file(one)
    assert one.metadata(file).requires == PEFT.requires
    assert loopback.requests[-1].endswith(".metadata")
    loopback.faults[f"/simple/files/{PEFT.filename}.metadata"] = [CHANGED]
    with pytest.raises(HashMismatch):
        client(refresh=True).metadata(file._replace(hashes={}))


def test_a_project_that_is_not_there(client: MakeClient) -> None:
    assert client().project("no-such-project") is None


@pytest.mark.parametrize("fault", [401, 403, 451])
def test_a_refusal_is_told_and_is_no_absence(loopback: Loopback, client: MakeClient, fault: int) -> None:
    loopback.serve("private", [listed(PEFT)])
    loopback.serve("simple", [listed(OLDER)])
    loopback.faults["/private/peft/"] = [fault] * 9
    with pytest.raises(IndexUnavailable, match=str(fault)):
        client("private", "simple").project("peft")


@pytest.mark.parametrize("fault", [429, 500, 502, 503, TRUNCATED])
def test_what_passes_is_tried_again(loopback: Loopback, client: MakeClient, fault: int | str) -> None:
    loopback.serve("simple", [listed(PEFT)])
    loopback.faults["/simple/peft/"] = [fault, fault]
    assert only_file(client()).name == PEFT.filename
    assert loopback.count("/peft/") == 3


@pytest.mark.parametrize("fault", [429, 500, TRUNCATED, LOOP])
def test_what_does_not_pass_is_an_error(loopback: Loopback, client: MakeClient, fault: int | str) -> None:
    loopback.serve("simple", [listed(PEFT)])
    loopback.faults["/simple/peft/"] = [fault] * 50
    with pytest.raises(IndexUnavailable):
        client().project("peft")


def test_a_body_that_drips_is_given_up(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("simple", [listed(PEFT)])
    loopback.faults["/simple/peft/"] = [DRIP]
    assert only_file(client(timeout=0.3)).name == PEFT.filename
    assert loopback.count("/peft/") == 2


def test_a_page_that_is_none(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("simple", [listed(PEFT)])
    loopback.faults["/simple/peft/"] = [200]
    with pytest.raises(IndexUnavailable, match="no page of a package index"):
        client().project("peft")


def test_the_first_index_that_has_a_project_serves_it_alone(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("private", [listed(OLDER)])
    loopback.serve("simple", [listed(PEFT), listed(Wheel("rich", "14.0"))])
    one = client("private", "simple")
    assert only_file(one).name == OLDER.filename
    assert only_file(one, "rich").name == "rich-14.0-py3-none-any.whl"


def test_a_host_is_looked_up_once(loopback: Loopback, client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    loopback.serve("simple", [listed(PEFT), listed(Wheel("rich", "14.0"))])
    loopback.address = loopback.address.replace("127.0.0.1", "localhost")
    asked: list[str] = []
    real = socket.getaddrinfo

    def counting(host: Any, *rest: Any, **more: Any) -> Any:
        if host == "localhost":
            asked.append(host)
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", counting)
    one = client()
    one.metadata(only_file(one))
    one.metadata(only_file(one, "rich"))
    assert asked == ["localhost"]
    assert loopback.headers[0]["Host"].startswith("localhost:")


def test_the_cache_answers_without_a_request(loopback: Loopback, client: MakeClient, tmp_path: Path) -> None:
    loopback.serve("simple", [listed(PEFT)])
    one = client()
    found = one.metadata(only_file(one))
    before = len(loopback.requests)
    again = client(offline=True)
    assert again.metadata(only_file(again)) == found
    assert len(loopback.requests) == before
    for entry in (tmp_path / "cache").rglob("*"):
        if entry.is_file():
            entry.write_bytes(entry.read_bytes()[:-1] + b" ")
    last = client()
    assert last.metadata(only_file(last)) == found
    assert len(loopback.requests) == before + 2


def test_offline_says_all_that_is_missing(client: MakeClient) -> None:
    one = client(offline=True)
    for name in ("peft", "rich"):
        with pytest.raises(NotCached):
            one.project(name)
    assert [line.split(" on ")[0] for line in one.missing] == ["the page of peft", "the page of rich"]


def test_a_file_that_the_index_changed_is_another_file(loopback: Loopback, client: MakeClient) -> None:
    loopback.serve("simple", [listed(PEFT)])
    one = client()
    one.metadata(only_file(one))
    changed = Wheel("peft", "0.17.1", requires=("torch>=2",))
    loopback.indexes["simple"] = [listed(changed)]
    two = client(refresh=True)
    assert two.metadata(only_file(two)).requires == ("torch>=2",)
