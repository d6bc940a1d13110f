"""Which configuration counts, and that what it holds in secret stays there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import httpx
import pytest

from compatsolver.errors import InputError
from compatsolver.index import configuration
from compatsolver.index.credentials import Credentials
from compatsolver.index.settings import default_index, read_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration but what a test writes."""
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(configuration, "_user_folders", lambda: [tmp_path / "user"])
    monkeypatch.setattr(configuration, "_system_folders", lambda: [str(tmp_path / "system")])
    monkeypatch.setenv("UV_CONFIG_FILE", str(tmp_path / "uv.toml"))
    (tmp_path / "uv.toml").write_text("", encoding="utf-8")


def test_without_configuration_the_default_index_is_asked_alone() -> None:
    settings = read_settings()
    assert settings.indexes == (default_index(),)
    assert (settings.primary, settings.notes) == (default_index(), ())


def test_pips_file(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "pip.conf").write_text(
        "[global]\nindex-url = https://ann:s3cret@mirror.example.org/simple\ntimeout = 7\n"
        "[install]\nextra-index-url =\n  https://one.example.org/\n  https://two.example.org\n"
        f"constraint = {tmp_path / 'c.txt'}\n",
        encoding="utf-8",
    )
    settings = read_settings()
    assert settings.indexes == (
        "https://one.example.org/",
        "https://two.example.org/",
        "https://mirror.example.org/simple/",
    )
    assert settings.primary == "https://mirror.example.org/simple/"
    assert settings.credentials == {"mirror.example.org": ("ann", "s3cret")}
    assert (settings.timeout, settings.constraints) == (7.0, (tmp_path / "c.txt",))
    assert any("c.txt" in note for note in settings.notes)
    assert not any("s3cret" in note for note in settings.notes)


def test_the_environment_is_stronger_than_files_and_the_call_than_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uv.toml").write_text(
        '[[index]]\nname = "a"\nurl = "https://a.example.org/simple"\n'
        '[[index]]\nurl = "https://b.example.org/simple"\ndefault = true\n'
        '[[index]]\nurl = "https://c.example.org/simple"\nexplicit = true\n',
        encoding="utf-8",
    )
    assert read_settings().indexes == ("https://a.example.org/simple/", "https://b.example.org/simple/")
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.example.org/simple")
    assert read_settings().primary == "https://pip.example.org/simple/"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "corp=https://uv.example.org/simple")
    assert read_settings().primary == "https://uv.example.org/simple/"
    given = read_settings(extra_index_urls=["https://extra.example.org/simple"])
    assert given.indexes == ("https://extra.example.org/simple/", default_index())


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    for address in ("ftp://example.org/simple", "no-such-folder"):
        with pytest.raises(InputError, match="not the address of a package index"):
            read_settings(address)
    (tmp_path / "uv.toml").write_text("index = [", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        read_settings()


def test_credentials_go_to_their_host_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("machine files.example.org login bob password pw\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    auth = Credentials({"mirror.example.org": ("ann", "s3cret")})
    sent = {
        host: next(auth.auth_flow(httpx.Request("GET", f"https://{host}/x"))).headers.get("Authorization")
        for host in ("mirror.example.org", "files.example.org", "example.org")
    }
    assert sent["mirror.example.org"] != sent["files.example.org"]
    assert sent["example.org"] is None


def test_proxies_of_pip_and_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().proxies == {}
    (tmp_path / "uv.toml").write_text(
        'https-proxy = "http://uv.example.org:3128"\nno-proxy = ["localhost", "intern.example.org"]\n',
        encoding="utf-8",
    )
    assert read_settings().proxies == {"https": "http://uv.example.org:3128", "no": "localhost,intern.example.org"}
    monkeypatch.setenv("PIP_PROXY", "pip.example.org:8080")
    assert read_settings().proxies == {"all": "pip.example.org:8080"}


def test_what_is_not_followed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text(
        "[global]\ntrusted-host = mirror.example.org\nkeyring-provider = subprocess\n", encoding="utf-8"
    )
    (tmp_path / "uv.toml").write_text(
        'allow-insecure-host = ["mirror.example.org"]\n[pip]\nexclude-newer = "2026-01-01"\nfind-links = ["w"]\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("UV_KEYRING_PROVIDER", "disabled")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    told = [note.partition(" is not used: ")[0] for note in read_settings().notes]
    assert told == [
        "find-links of pip's environment variables",
        f"find-links of uv's file {tmp_path / 'uv.toml'}",
        f"allow-insecure-host of uv's file {tmp_path / 'uv.toml'}",
        f"exclude-newer of uv's file {tmp_path / 'uv.toml'}",
        f"keyring-provider of pip's file {tmp_path / 'pip.conf'}",
        f"trusted-host of pip's file {tmp_path / 'pip.conf'}",
    ]


@pytest.mark.parametrize("variable", ["PIP_NO_INDEX", "UV_NO_INDEX"])
def test_a_host_that_asks_no_index_is_not_overruled(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(InputError, match=r"no-index of .*environment variables"):
        read_settings()
    assert read_settings("https://one.example.org/simple").primary == "https://one.example.org/simple/"
