"""`pylock.toml` (PEP 751), with what installers have no use for under `[tool.compatsolver]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.emitters.locked import comments, opening, public, pythons
from compatsolver.model.lock import NO_ACCELERATOR, SCHEMA
from compatsolver.model.markers import marker_of
from compatsolver.model.request import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from packaging.pylock import Package

    from compatsolver.model.lock import Lock, LockedFile, LockedPackage

_OF_THE_READING = ("assumed", "probed", "unread", "remarks")
"""Fields of a target that tell how it became known, which a lock does not repeat."""


def render(lock: Lock) -> Mapping[str, str]:
    """The lock file; raises `packaging.pylock.PylockValidationError` where the lock contradicts itself."""
    import tomli_w
    from packaging.markers import Marker
    from packaging.pylock import Pylock
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    document = Pylock(
        lock_version=Version("1.0"),
        environments=[Marker(text) for text in dict.fromkeys(map(marker_of, lock.targets))] or None,
        requires_python=SpecifierSet(requires_python(lock)) if pythons(lock) else None,
        created_by="compatsolver",
        packages=[_package(package) for package in lock.packages],
        tool={"compatsolver": _tool(lock)},
    )
    document.validate()
    return {"pylock.toml": comments(opening(lock)) + "\n" + tomli_w.dumps(document.to_dict())}


def cannot_express(lock: Lock) -> tuple[str, ...]:
    """What an installer that reads the lock does not see."""
    lost = ["the GPU, the driver and the catalogue are recorded under [tool.compatsolver], which no installer reads"]
    if any(package.index is None for package in lock.packages):
        lost.append("the default index is not named: files are taken from their own addresses")
    return tuple(lost)


def requires_python(lock: Lock) -> str:
    """The Pythons of all targets as a specifier; those between two of them are left to markers."""
    minors = [text.rstrip("t") for text in pythons(lock)]
    if len(set(minors)) == 1:
        return f"=={minors[0]}.*"
    major, last = minors[-1].split(".")
    return f">={minors[0]},<{major}.{int(last) + 1}"


def _package(package: LockedPackage) -> Package:
    from packaging.markers import Marker
    from packaging.pylock import Package, PackageSdist, PackageWheel
    from packaging.specifiers import SpecifierSet
    from packaging.utils import canonicalize_name
    from packaging.version import Version

    source: dict[str, Any] = {}
    if package.direct:
        source["archive"] = _archive(package.files[0])
    else:
        wheels = [PackageWheel(**_file(file)) for file in package.files if file.is_wheel]
        sdists = [PackageSdist(**_file(file)) for file in package.files if not file.is_wheel]
        source = {"wheels": wheels or None, "sdist": sdists[0] if sdists else None}
    return Package(
        name=canonicalize_name(package.name),
        version=Version(package.version),
        marker=Marker(package.marker) if package.marker else None,
        requires_python=SpecifierSet(package.requires_python) if package.requires_python else None,
        dependencies=[{"name": name} for name in package.requires] or None,
        index=public(package.index) if package.index else None,
        tool={"compatsolver": {"extras": list(package.extras)}} if package.extras else None,
        **source,
    )


def _file(file: LockedFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "url": public(file.url) if file.url else None,
        "path": file.path,
        "size": file.size,
        "hashes": dict(sorted(file.hashes.items())),
    }


def _archive(file: LockedFile) -> Any:
    from packaging.pylock import PackageArchive

    fields = _file(file)
    del fields["name"]
    return PackageArchive(**fields)


def _tool(lock: Lock) -> dict[str, Any]:
    """Our own table: what a later `check` holds the lock against."""
    table: dict[str, Any] = {
        "schema": SCHEMA,
        "catalog": dict(lock.catalog),
        "requested": [public(text) for text in lock.requested],
        "conditions": list(lock.conditions),
        "notes": list(lock.notes),
    }
    if lock.accelerator != NO_ACCELERATOR:
        table["accelerator"] = _told(lock.accelerator._asdict(), NO_ACCELERATOR._asdict())
    table["targets"] = [_told(target._asdict(), Target()._asdict()) for target in lock.targets]
    return table


def _told(fields: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something, as TOML has them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in fields.items()
        if value != defaults[name] and name not in _OF_THE_READING
    }
