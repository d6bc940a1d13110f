"""Measured wheels: no table says otherwise than the wheel, and what rests on a wheel says so."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.hardware import toolkit_minor
from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.model.version import NumericVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compatsolver.authoring.rows import Row
    from compatsolver.authoring.schema import Archs, BinaryRow, BuildRow, Tables
    from compatsolver.authoring.schema_measured import MeasuredWheel

STRONG = ("gpu-run", "measured")
_THE_WHEEL_WINS = "write what the wheel says, and in `notes` who says otherwise"


def measured_sorted(tables: Tables) -> Iterator[Finding]:
    """Wheels stand newest first, then by platform and name, each once."""
    for wheels in tables.measured.values():
        for before, wheel in pairwise(wheels):
            newer, older = package_version(before.version), package_version(wheel.version)
            if newer < older or (newer == older and (before.platform, before.wheel) >= (wheel.platform, wheel.wheel)):
                yield Finding(wheel, f"{wheel.wheel} stands after {before.wheel}", "keep the newest first, each once")


def measured_code(tables: Tables) -> Iterator[Finding]:
    """A build of torch has the targets that its wheel has, and says that they were measured."""
    for wheel, build in _torch(tables):
        if build.archs is None:
            continue
        kernels = wheel.kernels()
        for column in ("sass", "ptx"):
            found = {target for target in kernels if target.startswith("compute_") == (column == "ptx")}
            stated = getattr(build.archs, column)
            if stated is None or set(stated) != found:
                message = f"{wheel.wheel} has {column} {_listed(found)}, the row {_listed(stated)}"
                yield Finding(build.archs, message, _THE_WHEEL_WINS)
        yield from _weaker(wheel, build.archs)


def measured_runtime(tables: Tables) -> Iterator[Finding]:
    """A build of torch has the CUDA that its wheel says it is built with."""
    for wheel, build in _torch(tables):
        if wheel.cuda and build.cuda and toolkit_minor(wheel.cuda) != toolkit_minor(build.cuda):
            message = f"{wheel.wheel} is built with CUDA {wheel.cuda}, the row has {build.cuda}"
            yield Finding(build, message, _THE_WHEEL_WINS)


def measured_glibc(tables: Tables) -> Iterator[Finding]:
    """The glibc floor of a build or a release is not below what its libraries need: they would not load."""
    for wheel, row, floor in _floors(tables):
        if wheel.glibc and NumericVersion.parse(floor or "0") < NumericVersion.parse(wheel.glibc):
            message = f"the libraries in {wheel.wheel} need glibc {wheel.glibc}, the row has {floor}"
            yield Finding(row, message, _THE_WHEEL_WINS)


def measured_pins(tables: Tables) -> Iterator[Finding]:
    """A build of torch has the cuDNN, NCCL and triton that its wheel requires."""
    for wheel, build in _torch(tables):
        for column, prefix in (("cudnn", "nvidia-cudnn-"), ("nccl", "nvidia-nccl-"), ("triton", "triton")):
            stated = getattr(build, column)
            for text in (text for name, text in wheel.requires.items() if name.startswith(prefix)):
                found = text if column == "triton" else text.removeprefix("==")
                if stated is None or not _same(stated, found):
                    message = f"{wheel.wheel} requires {column} {found}, the row has {stated}"
                    yield Finding(build, message, _THE_WHEEL_WINS)


def measured_abi(tables: Tables) -> Iterator[Finding]:
    """A build of torch has the C++ ABI of its wheel, and says that it was measured."""
    for wheel, build in _torch(tables):
        known = (build.cxx11_abi, build.evidence.get("cxx11_abi") in STRONG)
        if wheel.cxx11_abi is not None and known != (wheel.cxx11_abi, True):
            found = "has" if wheel.cxx11_abi else "has not"
            message = f"{wheel.wheel} {found} the C++11 ABI; the row has {build.cxx11_abi}, measured: {known[1]}"
            yield Finding(build, message, _THE_WHEEL_WINS)


def measured_libraries(tables: Tables) -> Iterator[Finding]:
    """A native library for a CUDA has the targets that were found in it, and says that they were measured."""
    for name, wheels in tables.measured.items():
        releases = {row.version: row for row in tables.libraries.get(name, ())}
        for wheel in wheels:
            for binary in (releases[wheel.version].binaries or ()) if wheel.version in releases else ():
                if binary.platform == wheel.platform and binary.archs:
                    yield from _wrong_libraries(wheel, binary)


def _wrong_libraries(wheel: MeasuredWheel, binary: BinaryRow) -> Iterator[Finding]:
    assert binary.archs
    stated = {*(binary.archs.sass or ()), *(binary.archs.ptx or ())}
    endings = tuple(f"_cuda{cuda.replace('.', '')}{end}" for cuda in binary.cuda for end in (".so", ".dll"))
    libraries = [row for row in wheel.code if row.library.endswith(endings)]
    for library in libraries:
        if set(library.targets) != stated:
            message = f"{library.library} has {_listed(library.targets)}, the row {_listed(stated)}"
            yield Finding(binary.archs, message, _THE_WHEEL_WINS)
    if libraries:
        yield from _weaker(wheel, binary.archs)


def _weaker(wheel: MeasuredWheel, archs: Archs) -> Iterator[Finding]:
    if archs.evidence not in STRONG:
        message = f"the targets were measured in {wheel.wheel}, and are called {archs.evidence}"
        yield Finding(archs, message, "write `evidence: measured`, and the wheel among its sources")


def _torch(tables: Tables) -> Iterator[tuple[MeasuredWheel, BuildRow]]:
    """Each measured wheel of torch with the row of its build."""
    builds = {
        (release.version, build.platform, build.build): build for release in tables.torch for build in release.builds
    }
    for wheel in tables.measured.get("torch", ()):
        build = builds.get((wheel.version, wheel.platform, wheel.build or ("cpu" if wheel.cuda is None else "")))
        if build:
            yield wheel, build


def _floors(tables: Tables) -> Iterator[tuple[MeasuredWheel, Row, str | None]]:
    """Each measured wheel with the row that says on which glibc it is installed, and the floor there.

    A release with a library for each CUDA is left out: of its wheel one library is loaded, and others may need more.
    """
    yield from ((wheel, build, build.glibc) for wheel, build in _torch(tables))
    for name, wheels in tables.measured.items():
        releases = {row.version: row for row in tables.libraries.get(name, ())}
        for wheel in wheels:
            release = releases.get(wheel.version)
            for row in release.wheels if release and not release.binaries else ():
                if row.platform == wheel.platform:
                    yield wheel, row, row.glibc


def _same(stated: str, found: str) -> bool:
    """Whether two versions or specifiers are one."""
    return stated == found or (stated[:1] in "=~<>!" and SpecifierSet(stated) == SpecifierSet(found))


def _listed(targets: Iterable[str] | None) -> str:
    return "unknown" if targets is None else ", ".join(sorted(targets)) or "none"


LINTS: tuple[Lint, ...] = (
    measured_sorted,
    measured_code,
    measured_runtime,
    measured_glibc,
    measured_pins,
    measured_abi,
    measured_libraries,
)
