"""Rules on the native libraries inside a package's wheels: for which CUDA there is one, and for which GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.rules.architectures import Device, devices
from compatsolver.authoring.rules.wheels import ANY, alike, elsewhere, installs, wheel_platforms
from compatsolver.model.architecture import Target
from compatsolver.model.component import NONE, members
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.model.version import Capability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.schema import BinaryRow, LibraryRelease, Tables
    from compatsolver.authoring.universe import Universe

_MOST_SOURCES = 4


def binary_rules(tables: Tables, universe: Universe, references: References) -> Iterator[Rule]:
    """Rules from `binaries`: a runtime without a library is to be avoided.

    A GPU without code is impossible, and so is a platform for which the wheel holds nothing.
    """
    known = devices(tables)
    for package, rows in universe.releases.items():
        if any(row.binaries is not None for row in rows):
            yield from _runtimes(package, universe, references)
            yield from _code(package, universe, references, known)


def _runtimes(package: str, universe: Universe, references: References) -> Iterator[Rule]:
    facts = (
        (_served(row, platform), platform, position)
        for platform in wheel_platforms(universe)
        for position, row in enumerate(universe.releases[package])
        if row.binaries is not None and installs(row, platform, None)
    )
    for runtimes, platforms, releases in alike(facts):
        cited = [source for binary in _of(package, universe, releases) for source in binary.sources]
        yield Rule(
            id=f"{package}-binary/{','.join(platforms)}/{','.join(runtimes)}",
            kind=Kind.BNB_CUDA_BINARY,
            literals=(
                Literal(package, universe.everything(package) & ~releases),
                elsewhere(universe, platforms),
                *((Literal("cuda", universe.only("cuda", *runtimes)),) if runtimes else ()),
            ),
            evidence="artifact-exists",
            sources=references.positions(cited)[:_MOST_SOURCES],
            field="binaries",
            avoid=bool(runtimes),
        )


def _served(row: LibraryRelease, platform: str) -> tuple[str, ...]:
    """The runtimes that find a library, `none` among them; empty where the wheel holds nothing for the platform."""
    binaries = [binary for binary in row.binaries or () if binary.platform == platform]
    runtimes = [cuda for binary in binaries for cuda in (*binary.cuda, *binary.also)]
    return (*runtimes, NONE) if binaries else ()


def _code(package: str, universe: Universe, references: References, known: tuple[Device, ...]) -> Iterator[Rule]:
    facts = (
        (((*binary.cuda, *binary.also), kind, gpus), binary.platform, position)
        for position, row in enumerate(universe.releases[package])
        for binary in row.binaries or ()
        for kind, gpus in _without_code(binary, known)
    )
    for (runtimes, kind, gpus), platforms, releases in alike(facts):
        libraries = [binary for binary in _of(package, universe, releases) if binary.archs]
        everywhere = {binary.platform for binary in libraries} <= {*platforms}
        cited = [source for binary in libraries if binary.archs for source in binary.archs.sources]
        yield Rule(
            id=f"{package}-code/{ANY if everywhere else ','.join(platforms)}/{','.join(runtimes)}/{','.join(gpus)}",
            kind=kind,
            literals=(
                Literal(package, universe.everything(package) & ~releases),
                *(() if everywhere else (elsewhere(universe, platforms),)),
                Literal("cuda", universe.everything("cuda") & ~universe.only("cuda", *runtimes)),
                Literal("gpu", universe.everything("gpu") & ~universe.only("gpu", *gpus)),
            ),
            evidence="documented",
            sources=references.positions(cited)[:_MOST_SOURCES],
            field="binaries",
        )


def _without_code(binary: BinaryRow, known: tuple[Device, ...]) -> Iterator[tuple[Kind, tuple[str, ...]]]:
    """The capabilities that a library does not run on: those older than all its code, and the others."""
    if binary.archs is None or not binary.archs.sass:
        return
    targets = [Target.parse(text) for text in (*binary.archs.sass, *(binary.archs.ptx or ()))]
    oldest = min(target.capability for target in targets)
    below: list[str] = []
    above: list[str] = []
    for device in known:
        if not any(device.runs(target) for target in targets) and not _in_dispute(device, binary):
            capability = device.row.compute_capability
            (below if Capability.parse(capability) < oldest else above).append(capability)
    if below:
        yield Kind.ARCH_BELOW_LIB_MIN, tuple(below)
    if above:
        yield Kind.ARCH_ABOVE_LIB_MAX, tuple(above)


def _in_dispute(device: Device, binary: BinaryRow) -> bool:
    """The rules on torch builds, which have the same code, ask about it; asking twice would not help."""
    assert binary.archs is not None
    return any(device.is_in_dispute(cuda, binary.archs.sass or ()) for cuda in binary.cuda)


def _of(package: str, universe: Universe, releases: int) -> Iterator[BinaryRow]:
    for position in members(releases):
        yield from universe.releases[package][position].binaries or ()
