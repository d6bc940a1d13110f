"""Native libraries in wheels: each runtime finds one, each library says for which GPUs it has code."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.hardware import toolkit_minor
from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.lint.torch import compiles
from compatsolver.model.architecture import Target
from compatsolver.model.version import Capability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import BinaryRow, LibraryRelease, Tables


def binary_in_wheel(tables: Tables) -> Iterator[Finding]:
    """A library lies in a wheel: the release has one for its platform."""
    for name, release, binary in _binaries(tables):
        platforms = {wheel.platform for wheel in release.wheels}
        if binary.platform not in platforms and "any" not in platforms:
            yield Finding(binary, f"{name}: there is no wheel for {binary.platform}", "add the wheel, or remove this")


def runtime_once(tables: Tables) -> Iterator[Finding]:
    """A runtime finds one library of a release on a platform."""
    found: dict[tuple[str, str, str], BinaryRow] = {}
    for name, _, binary in _binaries(tables):
        for cuda in (*binary.cuda, *binary.also):
            other = found.setdefault((name, binary.platform, cuda), binary)
            if other is not binary or (*binary.cuda, *binary.also).count(cuda) > 1:
                message = f"{name} has CUDA {cuda} on {binary.platform} twice"
                yield Finding(binary, message, "keep the row whose library is loaded")


def runtimes_sorted(tables: Tables) -> Iterator[Finding]:
    """Runtimes stand newest first."""
    for name, _, binary in _binaries(tables):
        for runtimes in (binary.cuda, binary.also):
            if any(toolkit_minor(before) < toolkit_minor(cuda) for before, cuda in pairwise(runtimes)):
                yield Finding(binary, f"{name}: CUDA {', '.join(runtimes)} is not in order", "write the newest first")


def binary_code_known(tables: Tables) -> Iterator[Finding]:
    """A library for CUDA says what it is compiled for: a plan that does not know might not run on the GPU."""
    for name, _, binary in _binaries(tables):
        if binary.cuda and not (binary.archs and binary.archs.sass):
            yield Finding(binary, f"{name}: no targets for CUDA {', '.join(binary.cuda)}", "write its `sass`")
        if not binary.cuda and (binary.archs or binary.also):
            yield Finding(binary, f"{name}: targets without a CUDA", "write the CUDA, or null and no `also`")


def binary_targets(tables: Tables) -> Iterator[Finding]:
    """`sass` holds machine code and `ptx` PTX, each of a GPU that the CUDA of the library compiles for."""
    rows = {Capability.parse(row.compute_capability): row for row in tables.capabilities}
    for name, _, binary in _binaries(tables):
        if binary.archs is None:
            continue
        for ptx, texts in ((False, binary.archs.sass or []), (True, binary.archs.ptx or [])):
            for target in map(Target.parse, texts):
                row = rows.get(target.capability)
                if target.ptx != ptx:
                    yield Finding(binary, f"{name}: {target} in the wrong list", "move or correct it")
                elif row is None or not all(compiles(cuda, row) for cuda in binary.cuda):
                    message = f"{name}: CUDA {', '.join(binary.cuda)} has no {target}"
                    yield Finding(binary, message, "correct the list, or architectures.yaml")


def runtimes_complete(tables: Tables) -> Iterator[Finding]:
    """Where a library serves other runtimes of its major too, every toolkit of that major finds one."""
    known = {toolkit_minor(row.version) for row in tables.toolkits}
    served: dict[tuple[str, str], list[BinaryRow]] = {}
    for name, _, binary in _binaries(tables):
        served.setdefault((name, binary.platform), []).append(binary)
    for (name, platform), rows in served.items():
        others = {toolkit_minor(cuda).major for row in rows for cuda in row.also}
        found = {toolkit_minor(cuda) for row in rows for cuda in (*row.cuda, *row.also)}
        for cuda in sorted(cuda for cuda in known - found if cuda.major in others):
            message = f"{name} has nothing for CUDA {cuda} on {platform}, and stand-ins for others of its major"
            yield Finding(rows[0], message, "add it to `also` of the library that it loads")


def prebuilt_for_known(tables: Tables) -> Iterator[Finding]:
    """Wheels outside the index are for lines of torch and majors of CUDA there are, and stand in for none on it."""
    lines = {toolkit_minor(release.version) for release in tables.torch}
    majors = {toolkit_minor(row.version).major for row in tables.toolkits}
    for library, rows in tables.libraries.items():
        for release in rows:
            for wheels in release.prebuilt:
                strangers = [f"torch {line}" for line in wheels.torch if toolkit_minor(line) not in lines]
                strangers += [f"CUDA {major}" for major in wheels.cuda if toolkit_minor(major).major not in majors]
                if strangers:
                    message = f"{library} {release.version} is prebuilt for {', '.join(strangers)}, which has no row"
                    yield Finding(wheels, message, "correct it, or add the release")
                if release.wheels:
                    message = f"{library} {release.version} has wheels on the index and elsewhere"
                    yield Finding(wheels, message, "write `prebuilt` for source distributions only")


def _binaries(tables: Tables) -> Iterator[tuple[str, LibraryRelease, BinaryRow]]:
    for library, rows in tables.libraries.items():
        for release in rows:
            for binary in release.binaries or ():
                yield f"{library} {release.version}", release, binary


LINTS: tuple[Lint, ...] = (
    binary_in_wheel,
    runtime_once,
    runtimes_sorted,
    runtimes_complete,
    binary_code_known,
    binary_targets,
    prebuilt_for_known,
)
