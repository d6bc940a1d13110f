"""Forward proxies: whose are used for what, and what is said of one that refuses."""

from __future__ import annotations

import os
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest

from compatsolver.errors import IndexUnavailable
from compatsolver.index.cache import Cache
from compatsolver.index.client import Client
from compatsolver.index.connection import Connection
from compatsolver.index.files import download
from compatsolver.index.settings import Settings
from forwarding import forwarding, unused_address
from loopback import Listed
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from forwarding import ForwardProxy
    from loopback import Loopback

PEFT = Wheel("peft", "0.17.1")
ELSEWHERE = "http://index.invalid/simple/"
"""Reached through a proxy or not at all."""
ANN = f"Basic {b64encode(b'ann:s3cret').decode()}"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxies but what a test sets."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


@pytest.fixture
def proxy() -> Iterator[ForwardProxy]:
    with forwarding() as running:
        yield running


@pytest.fixture
def simple(loopback: Loopback) -> str:
    return loopback.serve("simple", [Listed(PEFT.filename, PEFT.data, "peft")])


def client(index: str, folder: Path, proxies: Mapping[str, str] | None = None) -> Client:
    settings = Settings((index,), index, timeout=5.0, proxies=proxies or {})
    return Client(settings, Cache(folder / "cache"), connection=Connection(settings, pauses=(0.0,)))


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_the_environment_names_a_proxy(
    variable: str, simple: str, proxy: ForwardProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, proxy.address)
    with client(simple, tmp_path) as one:
        project = one.project("peft")
        assert project
        assert one.metadata(project.files[0]).version == "0.17.1"
        download(one.connection, project.files[0], tmp_path)
    assert proxy.asked[0] == f"{simple}peft/"
    assert set(proxy.asked[1:]) == {f"{simple}files/{PEFT.filename}"}


@pytest.mark.parametrize("without_proxy", ["127.0.0.1", "example.org, 127.0.0.1", "*"])
def test_no_proxy_goes_directly(
    without_proxy: str, simple: str, proxy: ForwardProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy.address)
    monkeypatch.setenv("NO_PROXY", without_proxy)
    with client(simple, tmp_path) as one:
        assert one.project("peft")
    assert proxy.asked == []


def test_the_proxy_is_that_of_the_scheme(
    simple: str, proxy: ForwardProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    with client(simple, tmp_path) as one:
        assert one.project("peft")
    assert proxy.asked == []
    with client("https://index.invalid/simple/", tmp_path) as one, pytest.raises(IndexUnavailable, match="502"):
        one.project("peft")
    assert set(proxy.asked) == {"index.invalid:443"}


def test_what_is_configured_stands_in_for_the_environment(
    simple: str, proxy: ForwardProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", unused_address())
    with client(simple, tmp_path, {"all": proxy.host}) as one:
        assert one.project("peft")
    assert len(proxy.asked) == 1
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with client(simple, tmp_path / "other", {"all": proxy.host}) as one:
        assert one.project("peft")
    assert len(proxy.asked) == 1


def test_credentials_of_a_proxy_are_sent_to_it_and_never_told(
    simple: str, proxy: ForwardProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy.wants = ANN
    monkeypatch.setenv("HTTP_PROXY", f"http://ann:s3cret@{proxy.host}")
    with client(simple, tmp_path) as one:
        assert one.project("peft")
    monkeypatch.setenv("ALL_PROXY", f"http://bob:0ther@{proxy.host}")
    monkeypatch.setenv("HTTP_PROXY", f"http://bob:0ther@{proxy.host}")
    for index in (simple, "https://index.invalid/simple/"):
        before = len(proxy.asked)
        with client(index, tmp_path / "other") as one, pytest.raises(IndexUnavailable, match="407") as error:
            one.project("peft")
        assert f"through the proxy http://{proxy.host}" in error.value.message
        assert "0ther" not in str(error.value)
        assert len(proxy.asked) == before + 1  # another try would change nothing


def test_a_proxy_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = unused_address()
    monkeypatch.setenv("ALL_PROXY", f"http://ann:s3cret@{nowhere}")
    for index in (ELSEWHERE, ELSEWHERE.replace("http:", "https:")):
        with client(index, tmp_path) as one, pytest.raises(IndexUnavailable) as error:
            one.project("peft")
        assert f"through the proxy http://{nowhere}: " in error.value.message
        assert "s3cret" not in str(error.value)


def test_another_kind_of_proxy_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:70")
    with client(ELSEWHERE, tmp_path) as one, pytest.raises(IndexUnavailable, match="neither an HTTP nor an HTTPS"):
        one.project("peft")
