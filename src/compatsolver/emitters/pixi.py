"""`pixi.toml`: Python from conda-forge, the stack as PyPI dependencies, the driver's CUDA as a system requirement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.emitters.conda import python_specs
from compatsolver.emitters.locked import comments, only_python, opening, public
from compatsolver.model.markers import environments_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from compatsolver.model.lock import Lock, LockedPackage
    from compatsolver.model.request import Target

NAME = "pixi.toml"
PLATFORMS = {
    "linux-x86_64": "linux-64",
    "linux-aarch64": "linux-aarch64",
    "windows-x86_64": "win-64",
    "macos-arm64": "osx-arm64",
    "macos-x86_64": "osx-64",
}


def render(lock: Lock) -> Mapping[str, str]:
    """The manifest; raises InputError where the lock is for several Pythons."""
    import tomli_w

    python = only_python(lock, NAME)
    platforms = {PLATFORMS[target.platform]: target for target in lock.targets if target.platform in PLATFORMS}
    table: dict[str, Any] = {
        "workspace": {
            "name": "locked-environment",
            "channels": ["conda-forge"],
            "platforms": list(platforms),
        },
    }
    required = _system_requirements(lock)
    if required:
        table["system-requirements"] = required
    table["dependencies"] = _conda(python)
    table["pypi-dependencies"] = _dependencies(package for package in lock.packages if not package.marker)
    for name, target in platforms.items():
        here = _dependencies(package for package in lock.packages if package.marker and _applies(package, target))
        if here:
            table.setdefault("target", {})[name] = {"pypi-dependencies": here}
    return {NAME: comments((*opening(lock), *_why(lock), "Use it with: pixi install")) + "\n" + tomli_w.dumps(table)}


def cannot_express(lock: Lock) -> tuple[str, ...]:
    """What a manifest leaves to pixi."""
    lost = [
        "hashes: pixi takes them from the indexes as they are then, and keeps them in pixi.lock",
        "the build of Python: pixi takes the newest patch release of the channel",
        "the GPU is a comment: nothing keeps the manifest from another one",
    ]
    if _major(lock):
        lost.append("the driver's version: __cuda says the CUDA version it runs, and the major decides here")
    elif lock.accelerator.cuda:
        lost.append("that Linux and Windows need a driver for CUDA: __cuda would keep the manifest from macOS")
    return tuple(lost)


def _why(lock: Lock) -> tuple[str, ...]:
    major = _major(lock)
    if not major:
        return ()
    return (
        "The wheels bring their own CUDA libraries; a second set from a channel would shadow them.",
        f"cuda = {major!r} asks for a driver that runs CUDA {major}: any minor version runs this build.",
    )


def _system_requirements(lock: Lock) -> dict[str, Any]:
    required: dict[str, Any] = {"cuda": _major(lock)} if _major(lock) else {}
    glibc = [target.glibc for target in lock.targets if target.glibc]
    if glibc:
        oldest = min(glibc, key=lambda text: [int(field) for field in text.split(".")])
        required["libc"] = {"family": "glibc", "version": oldest}
    return required


def _major(lock: Lock) -> str:
    """The major version of CUDA that every machine of the lock has to run; empty where one has none."""
    has_macs = any((target.platform or "").startswith("macos") for target in lock.targets)
    return "" if has_macs else (lock.accelerator.cuda or "").partition(".")[0]


def _conda(python: str) -> dict[str, str]:
    specs = (spec.partition("=") for spec in python_specs(python))
    return {name: f"{version}.*" if version else "*" for name, _, version in specs}


def _dependencies(packages: Iterable[LockedPackage]) -> dict[str, Any]:
    return {package.name: _dependency(package) for package in packages}


def _dependency(package: LockedPackage) -> Any:
    """A version where that says all, else a table."""
    extras = {"extras": list(package.extras)} if package.extras else {}
    if package.direct:
        file = package.files[0]
        return {"url": public(file.url), **extras} if file.url else {"path": file.path, **extras}
    index = {"index": public(package.index)} if package.index else {}
    return {"version": f"=={package.version}", **extras, **index} if extras or index else f"=={package.version}"


def _applies(package: LockedPackage, target: Target) -> bool:
    from packaging.markers import Marker

    return any(Marker(package.marker or "").evaluate(environment) for environment in environments_of(target))
