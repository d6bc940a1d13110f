"""Observations put together: what runs on which machine, as far as the text says it.

Where an environment document and a paste both speak of an axis, the document wins: its author knew the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compatsolver.catalog.gpus import find_gpu
from compatsolver.model.component import NONE
from compatsolver.model.environment import Environment
from compatsolver.model.host import Gpu
from compatsolver.model.observation import DOCUMENT, PACKAGE, Observation, Reading
from compatsolver.model.version import NumericVersion, PythonVersion
from compatsolver.observation.target import target_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from compatsolver.catalog.catalogue import Catalog

CPU = "cpu"
_RELEASE = re.compile(
    r"v?(\d+(?:\.\d+)+(?:\.\*|\.?(?:post|rc|a|b|dev)\d*)*|\d+\.\*)?(?:\+([A-Za-z0-9._-]+))?", re.ASCII
)
_TAG = re.compile(r"cu(?:da)?[-_]?(\d{1,2})\.?(\d)(?!\d)", re.ASCII)
_IMAGE_CUDA = re.compile(
    r"cuda[-_: ]{0,3}v?(\d{1,2}(?:\.\d)?)(?![\d])|(?<![a-z])cu(\d{2})(\d)(?!\d)", re.IGNORECASE | re.ASCII
)
_TORCH_NAMES = ("torch", "pytorch", "pytorch-gpu")
_RUNTIME_PACKAGES = ("pytorch-cuda", "cudatoolkit", "cuda-version")


@dataclass(frozen=True, kw_only=True)
class Stack:
    """What was understood. None is "not told"; `where` maps a slot to the observation it was read from.

    `torch` is the release without its local version ("2.7.0", "2.7.0.dev20250310", "1.13.*"), `tag` the local version,
    `cuda` the runtime that torch was built for ("12.6", `none` for a CPU build) and `image_cuda` that of the container.
    """

    reading: Reading
    gpus: tuple[Gpu, ...] = ()
    vendor: str | None = None
    index_family: str | None = None
    driver: str | None = None
    ceiling: NumericVersion | None = None
    platform: str | None = None
    python: PythonVersion | None = None
    glibc: NumericVersion | None = None
    torch: str | None = None
    tag: str | None = None
    cuda: str | None = None
    image_cuda: str | None = None
    packages: Mapping[str, str] = field(default_factory=dict)
    ambiguous: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    where: Mapping[str, Observation] = field(default_factory=dict)

    @property
    def spelling(self) -> str:
        """torch as an installer prints it."""
        return f"{self.torch or ''}{f'+{self.tag}' if self.tag else ''}"


def joined(*readings: Reading) -> Reading:
    """Several readings as one, the first of them the most trusted."""
    return Reading(
        observations=tuple(entry for reading in readings for entry in reading.observations),
        text="\n".join(reading.text for reading in readings if reading.text),
        readers=tuple(dict.fromkeys(name for reading in readings for name in reading.readers)),
        not_understood=tuple(dict.fromkeys(text for reading in readings for text in reading.not_understood)),
        contradictions=tuple(dict.fromkeys(text for reading in readings for text in reading.contradictions)),
        findings=tuple(finding for reading in readings for finding in reading.findings),
    )


def stack_of(catalog: Catalog, reading: Reading) -> Stack:
    """Understand a reading; what the catalogue does not know is left out, never guessed."""
    first = {entry.axis: entry for entry in reversed(reading.observations)}
    packages = {axis.removeprefix(PACKAGE): first[axis].value for axis in first if axis.startswith(PACKAGE)}
    gpus, ambiguous, vendor, family = _gpus(catalog, reading)
    torch_name = next((name for name in _TORCH_NAMES if name in packages), None)
    release, tag = _release(packages[torch_name]) if torch_name else (None, None)
    where: dict[str, Observation] = {
        axis: first[axis] for axis in ("driver", "driver_cuda", "glibc", "python", "platform", "gpu") if axis in first
    }
    if torch_name:
        where["torch"] = first[f"{PACKAGE}{torch_name}"]
    where |= {name: first[f"{PACKAGE}{name}"] for name in packages if name not in _TORCH_NAMES}
    return Stack(
        reading=reading,
        gpus=gpus,
        vendor=vendor,
        index_family=family,
        driver=_value(first, "driver") or _value(first, "kernel_module"),
        ceiling=_number(_value(first, "driver_cuda")),
        platform=_platform(first),
        python=_python(_value(first, "python")),
        glibc=_number(_value(first, "glibc")),
        torch=release,
        tag=tag,
        cuda=_cuda(first, packages, tag),
        image_cuda=_image_cuda(_value(first, "container")),
        packages=packages,
        ambiguous=ambiguous,
        clashes=tuple(_clashes(catalog, reading)),
        where=where,
    )


def _value(first: Mapping[str, Observation], axis: str) -> str | None:
    return first[axis].value if axis in first else None


def _number(text: str | None) -> NumericVersion | None:
    try:
        return NumericVersion.parse(text) if text else None
    except ValueError:
        return None


def _python(text: str | None) -> PythonVersion | None:
    try:
        return PythonVersion.parse(text) if text else None
    except ValueError:
        return None


def _platform(first: Mapping[str, Observation]) -> str | None:
    platform = _value(first, "platform")
    if platform is None:
        machine = Environment(os=_value(first, "os"), arch=_value(first, "arch"))
        platform = target_of(machine).platform
    if platform and "wsl" in first and first["wsl"].value != "no":
        return platform.replace("linux", "wsl")
    return platform


def _release(text: str) -> tuple[str | None, str | None]:
    match = _RELEASE.fullmatch(text.strip())
    return (match[1], match[2]) if match else (None, None)


def _cuda(first: Mapping[str, Observation], packages: Mapping[str, str], tag: str | None) -> str | None:
    if told := _value(first, "torch_cuda"):
        return told if told == NONE else minor_of(told)
    if tag == CPU:
        return NONE
    if tag and (match := _TAG.match(tag)):
        return f"{match[1]}.{match[2]}"
    build = _value(first, "conda_build")
    if build and build.split(" ", 1)[0] in _TORCH_NAMES:
        if match := _TAG.search(build):
            return f"{match[1]}.{match[2]}"
        if re.search(r"(?:^|[\s_])cpu", build):
            return NONE
    found = next((packages[name] for name in _RUNTIME_PACKAGES if name in packages), None)
    return minor_of(found) if found else None


def _image_cuda(image: str | None) -> str | None:
    match = _IMAGE_CUDA.search(image or "")
    if not match:
        return None
    return match[1] or f"{match[2]}.{match[3]}"


def minor_of(text: str) -> str | None:
    """`12.4` of `12.4.131`; None where the text is not a version."""
    match = re.match(r"(\d{1,2})\.(\d)", text)
    return f"{match[1]}.{match[2]}" if match else None


def _clashes(catalog: Catalog, reading: Reading) -> Iterator[str]:
    """A capability that the author of a document states, and that none of the GPUs named has."""
    told = [entry for entry in reading.observations if entry.axis == "gpu"]
    matches = {entry.value: find_gpu(catalog, entry.value) for entry in told}
    known = {capability for match in matches.values() for capability in match.capabilities}
    known |= {catalog.diagnosis["same_as"].get(capability) for capability in known} - {None}
    if not known or not all(match.capabilities for match in matches.values()):
        return
    for entry in reading.observations:
        if entry.axis == "compute_capability" and entry.reader == DOCUMENT and entry.value not in known:
            names = ", ".join(f"{match.name} is {' or '.join(match.capabilities)}" for match in matches.values())
            yield f"compute capability {entry.value} is stated, and by the catalogue {names}"


def _gpus(catalog: Catalog, reading: Reading) -> tuple[tuple[Gpu, ...], tuple[str, ...], str | None, str | None]:
    stated = reading.values("compute_capability")
    known = {candidate.version for candidate in catalog.components["gpu"].candidates} - {NONE}
    gpus: dict[Gpu, None] = {}
    ambiguous: list[str] = []
    vendor = family = None
    for name in reading.values("gpu"):
        match = find_gpu(catalog, name)
        meant = match.capabilities if len(match.capabilities) == 1 else stated if len(stated) == 1 else ()
        if match.vendor and not meant:
            vendor, family = match.vendor, match.index_family
        elif meant and meant[0] in known:
            gpus[Gpu(match.name if match.capabilities else name, meant[0])] = None
        else:
            ambiguous.append(name)
    found = {gpu.capability for gpu in gpus}
    for capability in stated:
        if capability in known and capability not in found and not (gpus and len(stated) == 1):
            gpus[Gpu("GPU", capability)] = None
        elif capability not in known:
            ambiguous.append(f"compute capability {capability}")
    return tuple(gpus), tuple(dict.fromkeys(ambiguous)), vendor, family
