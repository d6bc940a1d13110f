"""What was measured in a wheel: as text, as JSON, as the row of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.render.lines import labelled, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.authoring.measure.measurement import Library, Measurement

SCHEMA = "compatsolver.measurement/1"


def measurement_text(measurement: Measurement) -> str:
    """For people: the wheel, then every library with device code."""
    constants = (f"{name} {value}" for name, value in measurement.variables.items() if value is not None)
    lines = [
        printable(measurement.wheel),
        *labelled("release", f"{measurement.name} {measurement.version}, {measurement.size} bytes"),
        *labelled("says", ", ".join(constants)),
        *labelled("python", measurement.requires_python or ""),
        *_requires(measurement.requires),
        *labelled("glibc", measurement.glibc or "no library needs one"),
        *labelled("libstdc++", f"GLIBCXX_{measurement.glibcxx}" if measurement.glibcxx else ""),
        *labelled("C++ ABI", _ABI[measurement.cxx11_abi]),
        *labelled("bundles", ", ".join(measurement.bundled)),
        *labelled("libraries", _count(measurement)),
    ]
    for library in measurement.libraries:
        if library.fat_binaries:
            lines += ["", *_code(library)]
    return "\n".join(lines) + "\n"


def measurement_document(measurement: Measurement, sha256: str | None) -> dict[str, Any]:
    """For programs: everything that was found."""
    libraries = [
        library._asdict() | {"linkage": library.linkage and library.linkage._asdict()}
        for library in measurement.libraries
    ]
    return {"schema": SCHEMA, "sha256": sha256, **measurement._asdict(), "libraries": libraries}


_ABI = {True: "C++11 strings", False: "strings from before C++11", None: "no name in its libraries tells"}


def _requires(requirements: Sequence[str]) -> list[str]:
    """One requirement a line, those of extras left out."""
    always = [text for text in requirements if "extra ==" not in text]
    return [line for place, text in enumerate(always) for line in labelled("" if place else "requires", text)]


def _count(measurement: Measurement) -> str:
    coded = sum(1 for library in measurement.libraries if library.fat_binaries)
    foreign = sum(1 for library in measurement.libraries if library.linkage is None)
    told = f"{len(measurement.libraries)}, {coded} of them with code for GPUs"
    return f"{told}; {foreign} are no ELF files, of which only that was read" if foreign else told


def _code(library: Library) -> list[str]:
    """Targets that all fat binaries have, then those that only some of them have."""
    everywhere = [target for target, count in library.targets.items() if count == library.fat_binaries]
    partly = [
        f"{target} in {count} of {library.fat_binaries}"
        for target, count in library.targets.items()
        if count < library.fat_binaries
    ]
    return [
        *wrapped(f"{library.path}: {library.size} bytes, {library.fat_binaries} fat binaries"),
        *labelled("  all", ", ".join(everywhere)),
        *labelled("  some", ", ".join(partly)),
    ]
