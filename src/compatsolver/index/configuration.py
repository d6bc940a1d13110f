"""What pip and uv are configured to use, read from the places where they read it themselves."""

from __future__ import annotations

import configparser
import os
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import platformdirs

from compatsolver.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NO_PROXIES: Mapping[str, str] = MappingProxyType({})
_PIP_UNUSED = ("find-links", "keyring-provider", "trusted-host")
_UV_UNUSED = {
    "find-links": "UV_FIND_LINKS",
    "keyring-provider": "UV_KEYRING_PROVIDER",
    "allow-insecure-host": "UV_INSECURE_HOST",
    "exclude-newer": "UV_EXCLUDE_NEWER",
}
"""Settings that change where packages come from or who is believed, and that are told instead of followed."""
_SECTIONS = ("install", "global")
"""Sections of pip's files; the first that has a setting counts."""


class Configured(NamedTuple):
    """What one source says; `name` is how a message names it. Nothing said is None or empty. `timeout` in seconds.

    `proxies` are by scheme, as `urllib.request.getproxies` has them. `unused` names what is said and not followed.
    """

    name: str
    index_url: str | None = None
    extra_index_urls: tuple[str, ...] = ()
    constraints: tuple[Path, ...] = ()
    certificate: str | None = None
    timeout: float | None = None
    proxies: Mapping[str, str] = _NO_PROXIES
    no_index: bool = False
    unused: tuple[str, ...] = ()


def uv_environment(variables: Mapping[str, str]) -> Configured:
    """uv's variables; an index may be written `name=address` there."""
    first = variables.get("UV_DEFAULT_INDEX") or variables.get("UV_INDEX_URL")
    more = variables.get("UV_INDEX") or variables.get("UV_EXTRA_INDEX_URL") or ""
    return Configured(
        name="uv's environment variables",
        index_url=_unnamed(first) if first else None,
        extra_index_urls=tuple(_unnamed(address) for address in more.split()),
        no_index=_is_true(variables.get("UV_NO_INDEX")),
        unused=tuple(name for name, variable in _UV_UNUSED.items() if _is_asked(variables.get(variable))),
    )


def pip_environment(variables: Mapping[str, str]) -> Configured:
    """pip's variables."""
    return _pip(
        "pip's environment variables",
        {
            key.removeprefix("PIP_").lower().replace("_", "-"): text
            for key, text in variables.items()
            if key.startswith("PIP_") and text
        },
    )


def uv_files(start: Path) -> Iterator[Configured]:
    """uv's files: the project's that `start` lies in, the user's, the system's; UV_CONFIG_FILE replaces them all."""
    named = os.environ.get("UV_CONFIG_FILE")
    if named:
        yield _uv(Path(named))
        return
    for folder in (start, *start.parents):
        found = [path for path in (folder / "uv.toml", folder / "pyproject.toml") if path.is_file()]
        if found:
            yield _uv(found[0])
            break
    users = (platformdirs.user_config_path("uv", appauthor=False, roaming=True) / "uv.toml",)
    for path in (*users, Path("/etc/uv/uv.toml")):
        if path.is_file():
            yield _uv(path)


def pip_files(variables: Mapping[str, str]) -> Iterator[Configured]:
    """pip's files, the strongest first: PIP_CONFIG_FILE, the environment's, the user's, the system's."""
    named = variables.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return
    base = "pip.ini" if sys.platform == "win32" else "pip.conf"
    places = [Path(named)] if named else []
    places += [Path(sys.prefix) / base, *(folder / base for folder in _user_folders()), Path("/etc") / base]
    places += [Path(folder) / base for folder in reversed(_system_folders())]
    for path in dict.fromkeys(places):
        if path.is_file():
            yield _pip(f"pip's file {path}", _sections(path))


def _user_folders() -> list[Path]:
    """Where pip looks in a user's home, the older place last."""
    home = Path.home()
    older = {"darwin": home / ".config" / "pip", "win32": home / "pip"}.get(sys.platform, home / ".pip")
    return [platformdirs.user_config_path("pip", appauthor=False, roaming=True), older]


def _system_folders() -> list[str]:
    return platformdirs.site_config_dir("pip", appauthor=False, multipath=True).split(os.pathsep)


def _pip(name: str, settings: Mapping[str, str]) -> Configured:
    timeout = settings.get("timeout") or settings.get("default-timeout") or ""
    return Configured(
        name=name,
        index_url=settings.get("index-url"),
        extra_index_urls=tuple(settings.get("extra-index-url", "").split()),
        constraints=tuple(Path(word) for word in settings.get("constraint", "").split()),
        certificate=settings.get("cert"),
        timeout=float(timeout) if timeout.replace(".", "", 1).isdigit() else None,
        proxies={"all": settings["proxy"]} if settings.get("proxy") else {},
        no_index=_is_true(settings.get("no-index")),
        unused=tuple(name for name in _PIP_UNUSED if _is_asked(settings.get(name))),
    )


def _sections(path: Path) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, configparser.Error) as error:
        raise _unreadable(path, error) from None
    merged: dict[str, str] = {}
    for section in reversed(_SECTIONS):
        if parser.has_section(section):
            merged.update(parser.items(section))
    return merged


def _uv(path: Path) -> Configured:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    table = document.get("tool", {}).get("uv", {}) if path.name == "pyproject.toml" else document
    pip: dict[str, Any] = table.get("pip", {})
    listed = [row for row in table.get("index", ()) if "url" in row and not row.get("explicit")]
    default = [row["url"] for row in listed if row.get("default")]
    extra = [row["url"] for row in listed if not row.get("default")]
    return Configured(
        name=f"uv's file {path}",
        index_url=next(iter(default), pip.get("index-url") or table.get("index-url")),
        extra_index_urls=tuple(extra or pip.get("extra-index-url") or table.get("extra-index-url") or ()),
        proxies=_uv_proxies(table),
        no_index=bool(pip.get("no-index") or table.get("no-index")),
        unused=tuple(name for name in _UV_UNUSED if _is_asked(pip.get(name) or table.get(name))),
    )


def _uv_proxies(table: Mapping[str, Any]) -> dict[str, str]:
    """uv's proxies; the hosts that are reached directly are a list there."""
    found = {scheme: table[f"{scheme}-proxy"] for scheme in ("http", "https") if table.get(f"{scheme}-proxy")}
    return {**found, "no": ",".join(table["no-proxy"])} if table.get("no-proxy") else found


def _is_true(text: str | None) -> bool:
    return (text or "").strip().lower() in ("1", "true", "yes", "on", "t", "y")


def _is_asked(setting: object) -> bool:
    return bool(setting) and setting != "disabled"


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path}: this configuration cannot be read: {error}", hint="mend the file")


def _unnamed(written: str) -> str:
    name, equals, address = written.partition("=")
    return address if equals and "/" not in name and ":" not in name else written
