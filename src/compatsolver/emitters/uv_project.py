"""A project for uv: `uv lock` and `uv sync` give the locked builds, because every package has its version and index.

uv's own choice of a backend (`--torch-backend`) does not reach a project: the index has to be named in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compatsolver.emitters.locked import asked, comments, indexes, opening, pinned, public, pythons
from compatsolver.emitters.pylock import requires_python
from compatsolver.model.markers import marker_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.lock import Lock, LockedPackage

PROJECT = "locked-environment"


def render(lock: Lock) -> Mapping[str, str]:
    """`pyproject.toml`, and `.python-version` where the lock is for one Python."""
    import tomli_w

    head = (*opening(lock), "Use it with: uv sync")
    files = {"pyproject.toml": comments(head) + "\n" + tomli_w.dumps(_project(lock))}
    only = pythons(lock)
    return files | ({".python-version": f"{only[0]}\n"} if len(only) == 1 else {})


def cannot_express(lock: Lock) -> tuple[str, ...]:
    """What a project leaves to uv."""
    lost = [
        "hashes: `uv lock` takes them from the indexes as they are then, and keeps them in uv.lock",
        "the GPU and the driver are comments: nothing keeps the project from another machine",
    ]
    if len(pythons(lock)) != 1 and any(text.endswith("t") for text in pythons(lock)):
        lost.append("that a Python is free-threaded: choose it with `uv sync --python 3.14t`")
    return tuple(lost)


def _project(lock: Lock) -> dict[str, Any]:
    """What was asked for is a dependency, all else a constraint: whoever requires it also says which extras of it."""
    named = asked(lock)
    wanted = [_marked(package) for package in named]
    others = [_marked(package._replace(extras=())) for package in lock.packages if package not in named]
    project: dict[str, Any] = {"name": PROJECT, "version": "0"}
    if pythons(lock):
        project["requires-python"] = requires_python(lock)
    project["dependencies"] = wanted
    environments = list(dict.fromkeys(map(marker_of, lock.targets)))
    settings: dict[str, Any] = {"package": False, "environments": environments, "constraint-dependencies": others}
    names = {url: _slug(url) for url in indexes(lock.packages)}
    settings["index"] = [{"name": name, "url": url, "explicit": True} for url, name in names.items()]
    settings["sources"] = _sources(lock, names)
    return {"project": project, "tool": {"uv": {key: value for key, value in settings.items() if value != []}}}


def _sources(lock: Lock, names: Mapping[str, str]) -> dict[str, Any]:
    """Where each package comes from, where that is not the default index; a package may stand twice, by marker."""
    found: dict[str, list[dict[str, str]]] = {}
    for package in lock.packages:
        source = _source(package, names)
        if source:
            marker = {"marker": package.marker} if package.marker else {}
            found.setdefault(package.name, []).append(source | marker)
    return {name: sources[0] if len(sources) == 1 else sources for name, sources in found.items()}


def _source(package: LockedPackage, names: Mapping[str, str]) -> dict[str, str]:
    if not package.direct:
        return {"index": names[public(package.index)]} if package.index else {}
    file = package.files[0]
    return {"url": public(file.url)} if file.url else {"path": file.path or ""}


def _marked(package: LockedPackage) -> str:
    text = pinned(package)
    return f"{text} ; {package.marker}" if package.marker else text


def _slug(url: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", url.partition("://")[2].lower()).strip("-")
