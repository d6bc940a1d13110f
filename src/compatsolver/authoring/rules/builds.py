"""Rules on torch builds: where they are published, which Pythons and glibc they need, what they bring along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.unknowns import publication
from compatsolver.authoring.universe import KNOWN_TO_EXIST, TorchBuild, Universe
from compatsolver.model.component import NONE, UNKNOWN
from compatsolver.model.rule import Kind, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

WHEELS_FOR = {"wsl-x86_64": "linux-x86_64", "wsl-aarch64": "linux-aarch64"}
"""Host platforms that take another platform's wheels."""


def build_rules(universe: Universe) -> Iterator[Rule]:
    """All rules made from the rows of the torch tables, except those on GPU code (see `architectures`)."""
    yield from _platforms(universe)
    yield from _pythons(universe)
    yield from _glibc(universe)
    yield from _brings(universe, "cuda", lambda build: build.cuda_minor)
    yield from _brings(universe, "cudnn", _cudnn)
    yield from _triton(universe)
    yield from _publication(universe)
    yield Rule(
        id="gpu-needs-cuda-build",
        kind=Kind.CPU_ONLY_BUILD,
        literals=(
            Literal("gpu", universe.only("gpu", NONE)),
            Literal("torch", universe.builds_where(lambda build: build.row.build != "cpu")),
        ),
        evidence="documented",
        field="cuda",
    )


def _table_rule(identifier: str, kind: Kind, column: str, *literals: Literal) -> Rule:
    return Rule(id=identifier, kind=kind, literals=literals, evidence="documented", field=column)


def _platforms(universe: Universe) -> Iterator[Rule]:
    for host in universe.components["platform"].candidates:
        wheels = WHEELS_FOR.get(host.version, host.version)
        yield _table_rule(
            f"torch-platform/{host.version}",
            Kind.PLATFORM_NO_CUDA_WHEEL,
            "published",
            Literal("platform", universe.everything("platform") & ~universe.only("platform", host.version)),
            Literal("torch", universe.builds_where(lambda build, wheels=wheels: build.row.platform == wheels)),  # type: ignore[misc]
        )


def _pythons(universe: Universe) -> Iterator[Rule]:
    for python in universe.components["python"].candidates:
        yield _table_rule(
            f"torch-python/{python.version}",
            Kind.PYTHON_NO_WHEEL,
            "pythons",
            Literal("python", universe.everything("python") & ~universe.only("python", python.version)),
            Literal("torch", universe.builds_where(lambda build, tag=python.version: tag in (build.row.pythons or ()))),  # type: ignore[misc]
        )


def _glibc(universe: Universe) -> Iterator[Rule]:
    floors = {build.row.glibc for build in universe.builds if build.row.glibc}
    for floor in sorted(floors):
        needing = universe.builds_where(lambda build, floor=floor: build.row.glibc == floor)  # type: ignore[misc]
        yield _table_rule(
            f"torch-glibc/{floor}",
            Kind.GLIBC_MIN,
            "glibc",
            Literal("torch", universe.everything("torch") & ~needing),
            Literal("glibc", universe.at_least("glibc", floor)),
        )


def _brings(universe: Universe, component: str, value_of: object) -> Iterator[Rule]:
    """A build brings exactly one version of `component`; read both ways, so that either side narrows the other."""
    assert callable(value_of)
    for candidate in universe.components[component].candidates:
        bringing = universe.builds_where(lambda build, value=candidate.version: value_of(build) == value)  # type: ignore[misc]
        this = universe.only(component, candidate.version)
        yield _table_rule(
            f"torch-{component}/{candidate.version}",
            Kind.INDEX_NO_SUCH_WHEEL,
            component,
            Literal(component, universe.everything(component) & ~this),
            Literal("torch", bringing),
        )
        if bringing:
            yield _table_rule(
                f"torch-brings-{component}/{candidate.version}",
                Kind.INDEX_NO_SUCH_WHEEL,
                component,
                Literal("torch", universe.everything("torch") & ~bringing),
                Literal(component, this),
            )


def _cudnn(build: TorchBuild) -> str:
    if build.row.build == "cpu":
        return NONE
    return build.row.cudnn or UNKNOWN


def _triton(universe: Universe) -> Iterator[Rule]:
    declared = {(build.row.triton, build.row.triton_pythons or "") for build in universe.builds if build.row.triton}
    for requirement, pythons in sorted(declared):
        requiring = universe.builds_where(
            lambda build, text=requirement, on=pythons: (build.row.triton, build.row.triton_pythons or "") == (text, on)  # type: ignore[misc]
        )
        specifier = SpecifierSet(requirement)
        matching = universe.where(
            "triton",
            lambda candidate, wanted=specifier: candidate.version != NONE and candidate.version in wanted,  # type: ignore[misc]
        )
        yield _table_rule(
            f"torch-triton/{requirement}{pythons and f'/python{pythons}'}",
            Kind.TRITON_PIN,
            "triton",
            *([Literal("python", _outside(universe, pythons))] if pythons else []),
            Literal("torch", universe.everything("torch") & ~requiring),
            Literal("triton", matching),
        )
    without = universe.builds_where(
        lambda build: build.row.build == "cpu" or not build.row.platform.startswith("linux")
    )
    yield _table_rule(
        "torch-triton/none",
        Kind.TRITON_PIN,
        "triton",
        Literal("torch", universe.everything("torch") & ~without),
        Literal("triton", universe.only("triton", NONE)),
    )


def _outside(universe: Universe, pythons: str) -> int:
    specifier = SpecifierSet(pythons)
    return universe.where("python", lambda candidate: candidate.version.removesuffix("t") not in specifier)


def _publication(universe: Universe) -> Iterator[Rule]:
    for position, build in enumerate(universe.builds):
        if build.row.published not in KNOWN_TO_EXIST:
            yield Rule(
                id=f"torch-published/{build.version}+{build.row.build}/{build.row.platform}",
                kind=Kind.INDEX_NO_SUCH_WHEEL,
                literals=(Literal("torch", universe.everything("torch") & ~(1 << position)),),
                evidence="inferred",
                field="published",
                unknown=publication(build),
            )
