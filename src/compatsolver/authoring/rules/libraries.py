"""Rules on the packages beside torch: which Pythons and platforms have wheels, and which torch each release needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.builds import WHEELS_FOR
from compatsolver.model.component import NONE
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.model.version import PythonVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import LibraryRelease
    from compatsolver.authoring.universe import Universe

PAIRED_WITH_TORCH = ("torchvision", "torchaudio")


def library_rules(universe: Universe) -> Iterator[Rule]:
    """All rules made from the rows of `libraries/`."""
    for package in universe.releases:
        yield from _wheels(package, universe)
        yield from _requirements(package, universe)


def _wheels(package: str, universe: Universe) -> Iterator[Rule]:
    absent = universe.only(package, NONE)
    for platform, hosts in _hosts_by_wheels(universe).items():
        having = universe.releases_where(package, lambda row, wanted=platform: _has_wheel(row, wanted, None))  # type: ignore[misc]
        elsewhere = Literal("platform", universe.everything("platform") & ~universe.only("platform", *hosts))
        yield _wheel_rule(
            f"{package}-platform/{platform}",
            Kind.PLATFORM_NO_CUDA_WHEEL,
            elsewhere,
            Literal(package, having | absent),
        )
        for python in universe.components["python"].candidates:
            tagged = universe.releases_where(
                package,
                lambda row, wanted=platform, tag=python.version: _has_wheel(row, wanted, tag),  # type: ignore[misc]
            )
            other_python = universe.everything("python") & ~universe.only("python", python.version)
            yield _wheel_rule(
                f"{package}-python/{platform}/{python.version}",
                Kind.PYTHON_NO_WHEEL,
                elsewhere,
                Literal("python", other_python),
                Literal(package, tagged | absent),
            )


def _wheel_rule(identifier: str, kind: Kind, *literals: Literal) -> Rule:
    return Rule(id=identifier, kind=kind, literals=literals, evidence="metadata", field="wheels")


def _hosts_by_wheels(universe: Universe) -> dict[str, list[str]]:
    """Wheel platform → the host platforms that take its wheels."""
    hosts: dict[str, list[str]] = {}
    for host in universe.components["platform"].candidates:
        hosts.setdefault(WHEELS_FOR.get(host.version, host.version), []).append(host.version)
    return hosts


def _has_wheel(row: LibraryRelease, platform: str, python: str | None) -> bool:
    for wheel in row.wheels:
        if wheel.platform == platform:
            if python is None:
                return True
            if wheel.pythons == "any":
                return admits(row.requires_python, PythonVersion.parse(python))
            return python in wheel.pythons
    return False


def admits(requires_python: str | None, python: PythonVersion) -> bool:
    """Whether some patch release of a minor version satisfies `requires_python`."""
    if not requires_python:
        return True
    specifier = SpecifierSet(requires_python)
    return any(f"{python.major}.{python.minor}.{patch}" in specifier for patch in range(25))


def _requirements(package: str, universe: Universe) -> Iterator[Rule]:
    declared = {pair for row in universe.releases[package] for pair in row.requires.items()}
    for required, text in sorted(declared):
        requiring = universe.releases_where(
            package,
            lambda row, pair=(required, text): row.requires.get(pair[0]) == pair[1],  # type: ignore[misc]
        )
        specifier = SpecifierSet(text)
        matching = universe.where(
            required,
            lambda candidate, wanted=specifier: candidate.version != NONE and candidate.version in wanted,  # type: ignore[misc]
        )
        yield Rule(
            id=f"{package}-requires-{required}/{text}",
            kind=Kind.TORCH_PAIR if package in PAIRED_WITH_TORCH and required == "torch" else Kind.PKG_PIN,
            literals=(
                Literal(package, universe.everything(package) & ~requiring),
                Literal(required, matching),
            ),
            evidence="metadata",
            field="requires",
        )
