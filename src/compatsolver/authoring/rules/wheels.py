"""Rules on the wheels of the packages beside torch: platforms, Pythons, glibc, and releases that have none at all."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.builds import WHEELS_FOR
from compatsolver.model.component import NONE
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.model.version import PythonVersion

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator

    from compatsolver.authoring.schema import LibraryRelease
    from compatsolver.authoring.universe import Universe

ANY = "any"

Fact = TypeVar("Fact", bound="Hashable")


def wheel_rules(universe: Universe) -> Iterator[Rule]:
    """Where each release of each package can be installed. Platforms and Pythons that are served alike share a rule."""
    for package in universe.releases:
        yield from _platforms(package, universe)
        yield from _pythons(package, universe)
        yield from _glibc(package, universe)
        yield from _sources_only(package, universe)


def elsewhere(universe: Universe, platforms: Collection[str]) -> Literal:
    """The host is of none of these wheel platforms."""
    hosts = [name for name, wheels in _wheels_of_hosts(universe).items() if wheels in platforms]
    return Literal("platform", universe.everything("platform") & ~universe.only("platform", *hosts))


@cache
def admits(requires_python: str | None, python: PythonVersion) -> bool:
    """Whether some patch release of a minor version satisfies `requires_python`."""
    if not requires_python:
        return True
    specifier = SpecifierSet(requires_python)
    return any(f"{python.major}.{python.minor}.{patch}" in specifier for patch in range(25))


def wheel_platforms(universe: Universe) -> tuple[str, ...]:
    """The platforms that wheels are made for, in the order of the hosts."""
    return tuple(dict.fromkeys(_wheels_of_hosts(universe).values()))


def alike(facts: Iterable[tuple[Fact, str, int]]) -> Iterator[tuple[Fact, tuple[str, ...], int]]:
    """(fact, platform, position of a release) joined to (fact, platforms, set of releases), for fewer rules."""
    platforms: dict[tuple[Fact, int], list[str]] = {}
    for fact, platform, position in facts:
        platforms.setdefault((fact, position), []).append(platform)
    releases: dict[tuple[Fact, tuple[str, ...]], int] = {}
    for (fact, position), places in platforms.items():
        place = tuple(sorted(places))
        releases[fact, place] = releases.get((fact, place), 0) | 1 << position
    for (fact, place), having in releases.items():
        yield fact, place, having


def installs(row: LibraryRelease, platform: str, python: str | None) -> bool:
    """Whether a release has a wheel for a platform (and Python), or no wheels at all and builds there."""
    is_built = not row.wheels and (row.builds_on is None or platform in row.builds_on)
    pythons = [ANY] if is_built else [wheel.pythons for wheel in row.wheels if wheel.platform in (platform, ANY)]
    if python is None:
        return bool(pythons)
    return any(
        admits(row.requires_python, PythonVersion.parse(python)) if tags == ANY else python in tags for tags in pythons
    )


def _wheels_of_hosts(universe: Universe) -> dict[str, str]:
    """Host platform → the platform whose wheels it takes."""
    hosts = [candidate.version for candidate in universe.components["platform"].candidates]
    return {host: WHEELS_FOR.get(host, host) for host in hosts}


def _platforms(package: str, universe: Universe) -> Iterator[Rule]:
    shared: dict[int, list[str]] = {}
    for platform, installable in _installable(package, universe).items():
        shared.setdefault(installable, []).append(platform)
    for installable, platforms in shared.items():
        yield _wheel_rule(
            f"{package}-platform/{','.join(platforms)}",
            Kind.PLATFORM_NO_CUDA_WHEEL,
            elsewhere(universe, platforms),
            Literal(package, installable | universe.only(package, NONE)),
        )


def _pythons(package: str, universe: Universe) -> Iterator[Rule]:
    absent = universe.only(package, NONE)
    installable = _installable(package, universe)
    shared: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for platform in installable:
        pythons: dict[int, list[str]] = {}
        for candidate in universe.components["python"].candidates:
            tagged = _having(package, universe, platform, candidate.version)
            if tagged != installable[platform]:
                pythons.setdefault(tagged, []).append(candidate.version)
        for tagged, alike_served in pythons.items():
            shared.setdefault((tagged, tuple(alike_served)), []).append(platform)
    for (tagged, versions), platforms in shared.items():
        everywhere = len(platforms) == len(installable)
        other_python = universe.everything("python") & ~universe.only("python", *versions)
        yield _wheel_rule(
            f"{package}-python/{ANY if everywhere else ','.join(platforms)}/{','.join(versions)}",
            Kind.PYTHON_NO_WHEEL,
            *(() if everywhere else (elsewhere(universe, platforms),)),
            Literal("python", other_python),
            Literal(package, tagged | absent),
        )


def _glibc(package: str, universe: Universe) -> Iterator[Rule]:
    facts = (
        (wheel.glibc, wheel.platform, position)
        for position, row in enumerate(universe.releases[package])
        for wheel in row.wheels
        if wheel.glibc
    )
    for floor, platforms, releases in alike(facts):
        yield Rule(
            id=f"{package}-glibc/{floor}/{','.join(platforms)}",
            kind=Kind.GLIBC_MIN,
            literals=(
                elsewhere(universe, platforms),
                Literal("glibc", universe.at_least("glibc", floor)),
                Literal(package, universe.everything(package) & ~releases),
            ),
            evidence="artifact-exists",
            field="wheels",
        )


def _sources_only(package: str, universe: Universe) -> Iterator[Rule]:
    without = universe.releases_where(package, lambda row: not row.wheels and not row.prebuilt)
    if without:
        yield Rule(
            id=f"{package}-built/from source",
            kind=Kind.INDEX_NO_SUCH_WHEEL,
            literals=(Literal(package, universe.everything(package) & ~without),),
            evidence="artifact-exists",
            field="wheels",
            avoid=True,
        )


def _wheel_rule(identifier: str, kind: Kind, *literals: Literal) -> Rule:
    return Rule(id=identifier, kind=kind, literals=literals, evidence="metadata", field="wheels")


def _installable(package: str, universe: Universe) -> dict[str, int]:
    """Wheel platform → the releases that install there on some Python."""
    return {platform: _having(package, universe, platform, None) for platform in wheel_platforms(universe)}


def _having(package: str, universe: Universe, platform: str, python: str | None) -> int:
    return universe.releases_where(package, lambda row: installs(row, platform, python))
