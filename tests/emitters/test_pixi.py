"""`pixi.toml`: what pixi's schema asks of a manifest, and packages by platform.

pixi is no Python package, so the part of its schema that matters here is written down as a check of its own.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from compatsolver.emitters import pixi
from compatsolver.errors import InputError
from compatsolver.model.lock import NO_ACCELERATOR, LockedFile, LockedPackage
from compatsolver.model.request import Target
from locks import lock_of, with_packages

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.lock import Lock

TEXT = {"type": "string", "minLength": 1}
TEXTS = {"type": "array", "items": TEXT}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


DEPENDENCY = {
    "anyOf": [
        {"type": "string", "pattern": "^=="},
        closed(version={"type": "string", "pattern": "^=="}, extras=TEXTS, index=TEXT) | {"required": ["version"]},
        closed(url=TEXT, extras=TEXTS) | {"required": ["url"]},
        closed(path=TEXT, extras=TEXTS) | {"required": ["path"]},
    ]
}
DEPENDENCIES = {"type": "object", "additionalProperties": DEPENDENCY}
PLATFORMS = ["linux-64", "linux-aarch64", "win-64", "osx-64", "osx-arm64"]
MANIFEST = closed(
    workspace=closed(name=TEXT, channels=TEXTS, platforms={"type": "array", "items": {"enum": PLATFORMS}}),
    dependencies={"type": "object", "additionalProperties": TEXT, "required": ["python"]},
    target={
        "type": "object",
        "propertyNames": {"enum": PLATFORMS},
        "additionalProperties": closed(**{"pypi-dependencies": DEPENDENCIES}),
    },
    **{
        "pypi-dependencies": DEPENDENCIES,
        "system-requirements": closed(cuda=TEXT, libc=closed(family={"const": "glibc"}, version=TEXT)),
    },
)


def document(lock: Lock) -> dict[str, Any]:
    found = tomllib.loads(pixi.render(lock)["pixi.toml"])
    jsonschema.validate(found, MANIFEST)
    return found


def test_the_file_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    text = pixi.render(lock_of())["pixi.toml"]
    assert text == golden("lock.pixi.toml", text)
    assert document(lock_of())["system-requirements"] == {"cuda": "12", "libc": {"family": "glibc", "version": "2.35"}}


def test_a_cpu_lock_asks_for_no_driver() -> None:
    assert "cuda" not in document(lock_of()._replace(accelerator=NO_ACCELERATOR))["system-requirements"]


def test_packages_of_one_platform_stand_in_its_table() -> None:
    lock = lock_of()
    linux = lock.package("torch")._replace(marker="sys_platform == 'linux'")
    mac = linux._replace(version="2.14.1", index=None, marker="sys_platform == 'darwin'")
    machines = (*lock.targets, Target(python="3.12", platform="macos-arm64"))
    found = document(lock._replace(packages=(mac, linux, lock.package("sympy")), targets=machines))
    assert found["pypi-dependencies"] == {"sympy": "==1.14.0"}
    assert found["target"]["osx-arm64"]["pypi-dependencies"] == {"torch": "==2.14.1"}
    assert found["target"]["linux-64"]["pypi-dependencies"]["torch"]["version"] == "==2.14.1+cu126"
    assert "cuda" not in found["system-requirements"]
    assert any("macOS" in line for line in pixi.cannot_express(lock._replace(targets=machines)))


@pytest.mark.parametrize("place", [{"path": "ours-1.0-py3-none-any.whl"}, {"url": "https://example.org/o.whl"}])
def test_direct_files_are_named_by_their_place(place: dict[str, str]) -> None:
    file = LockedFile(
        name="ours-1.0-py3-none-any.whl", hashes={"sha256": "0" * 64}, url=place.get("url"), path=place.get("path")
    )
    ours = LockedPackage("ours", "1.0", (file,), direct=True)
    assert document(with_packages(lock_of(), ours))["pypi-dependencies"]["ours"] == place


def test_a_lock_for_two_pythons_is_refused() -> None:
    targets = tuple(lock_of().targets[0]._replace(python=python) for python in ("3.12", "3.11"))
    with pytest.raises(InputError, match=r"3\.11 and 3\.12"):
        pixi.render(lock_of()._replace(targets=targets))
