"""From the words of a target to facts: read, refused as unreadable, or past the tables and so unknown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.catalog.gpus import find_gpu
from compatsolver.errors import InputError, OutOfScope
from compatsolver.model.component import NONE
from compatsolver.model.host import Gpu, Host
from compatsolver.model.request import PLATFORMS, Target
from compatsolver.model.rule import Unknown
from compatsolver.model.version import NumericVersion, PythonVersion

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

MPS = "Apple silicon: the default build uses its GPU through Metal (the device `mps`)"
ASK_DRIVER = "nvidia-smi --query-gpu=driver_version --format=csv"
ASK_CAPABILITY = "nvidia-smi --query-gpu=name,compute_cap --format=csv"
_FLAGS = {"kernel_module": "driver", "nvidia_smi_cuda": "driver", "os": "platform"}
_LOWEST_DRIVER, _HIGHEST_DRIVER = 100, 999
_MOST_DOTS = 2
_WINDOWS_DRIVER = r"\d{1,2}\.\d{1,2}\.1(\d)\.(\d{1,4})"


def placed(catalog: Catalog, target: Target) -> Target:
    """The target with a platform that its GPUs imply, where none was given: GH200 and Jetson are Arm, Apple's are Macs.

    The C library of another platform's interpreter says nothing about it and is dropped. An Apple GPU on a Mac is the
    default build's business: the target has no NVIDIA GPU, and the answer says what runs there.
    """
    matches = [find_gpu(catalog, text) for text in target.gpus or ()]
    is_apple = bool(matches) and all(match.vendor == "Apple" for match in matches)
    implied = {"macos-arm64"} if is_apple else {match.platform for match in matches}
    if "platform" in target.assumed and len(implied) == 1 and None not in implied and target.platform not in implied:
        glibc = None if "glibc" in target.assumed else target.glibc
        assumed = tuple(axis for axis in target.assumed if axis != "glibc")
        target = target._replace(platform=next(iter(implied)), glibc=glibc, assumed=assumed)
    if is_apple and (target.platform or "").startswith("macos"):
        target = target._replace(gpus=(), remarks=(*target.remarks, MPS))
    return target


def understand(catalog: Catalog, target: Target) -> Host:
    """Read a complete target (platform and Python given); raises InputError and OutOfScope."""
    platform = _platform(target)
    python, unknown = _python(catalog, target.python or "")
    unknown += [_unread(line) for line in target.unread]
    unknown += _unknown_ceiling(catalog, target)
    gpus: list[Gpu] | None = None
    if target.gpus is not None:
        gpus = []
        for text in target.gpus:
            found, missing = _gpus(catalog, text)
            gpus.extend(found)
            unknown += missing
    return Host(
        platform=platform,
        python=python,
        glibc=_glibc(target),
        driver=read_driver(catalog, target.driver) if target.driver is not None else None,
        driver_cuda=NumericVersion.parse(target.driver_cuda) if target.driver_cuda and not target.driver else None,
        gpus=None if gpus is None else tuple(gpus),
        assumed=target.assumed,
        unknown=tuple(unknown),
    )


def read_driver(catalog: Catalog, text: str) -> NumericVersion:
    """Read a driver version: `535.161.08`, or Windows' four-field number, where 31.0.15.3598 is 535.98."""
    text = text.strip()
    if text.count(".") > _MOST_DOTS:
        text = _from_windows(catalog, text)
    try:
        version = NumericVersion.parse(text)
    except ValueError:
        raise InputError(
            f"{text!r} is not a driver version",
            hint=f"give it as nvidia-smi prints it, e.g. 535.161.08: {ASK_DRIVER}",
        ) from None
    if version.major > _HIGHEST_DRIVER:
        raise InputError(
            f"{text!r} is not a driver version: they have three digits before the first dot",
            hint=f"is {text[:3]}.{text[3:]} meant?",
        )
    if version.major < _LOWEST_DRIVER:
        raise InputError(
            f"{text!r} is not a driver version; it looks like a CUDA version",
            hint="the driver has a number such as 535.161.08; for a CUDA runtime use --cuda",
        )
    return version


def _from_windows(catalog: Catalog, text: str) -> str:
    """NVIDIA's number in Windows' one: its last five digits. Drivers of other makers have such numbers too."""
    match = re.fullmatch(_WINDOWS_DRIVER, text, re.ASCII)
    if match:
        digits = match[1] + match[2].zfill(4)
        if catalog.branch_of(int(digits[:3])):
            return f"{digits[:3]}.{digits[3:]}"
    raise InputError(
        f"{text!r} is neither an NVIDIA driver version nor the number that Windows gives one, such as 31.0.15.3598",
        hint=f"give it as nvidia-smi prints it, e.g. 535.161.08: {ASK_DRIVER}",
    )


def _platform(target: Target) -> str:
    if target.platform not in PLATFORMS:
        raise InputError(f"the platform {target.platform!r} is unknown", hint="use one of " + ", ".join(PLATFORMS))
    if target.wsl and not target.platform.startswith("linux"):
        raise InputError(
            f"WSL runs Linux, which contradicts the platform {target.platform}",
            hint="use --wsl with linux-x86_64, or leave it out",
        )
    return target.host_platform or target.platform


def _python(catalog: Catalog, text: str) -> tuple[PythonVersion, list[Unknown]]:
    try:
        python = PythonVersion.parse(text.strip())
    except ValueError:
        raise InputError(
            f"{text!r} is not a Python version", hint="give it as 3.11, or 3.14t for the free-threaded build"
        ) from None
    if any(candidate.version == str(python) for candidate in catalog.components["python"].candidates):
        return python, []
    fact = Unknown(
        fact=f"wheels for Python {python}",
        why=f"the catalogue of {catalog.horizon} knows no package built for it",
        how="use a newer catalogue, or a Python that has wheels",
    )
    return python, [fact]


def _glibc(target: Target) -> NumericVersion | None:
    if target.glibc is None:
        return None
    if not (target.platform or "").startswith("linux"):
        raise InputError(f"glibc {target.glibc} contradicts the platform {target.platform}", hint="leave out --glibc")
    try:
        return NumericVersion.parse(target.glibc.strip())
    except ValueError:
        raise InputError(
            f"{target.glibc!r} is not a glibc version", hint="ldd --version prints it, e.g. 2.35"
        ) from None


def _gpus(catalog: Catalog, text: str) -> tuple[list[Gpu], list[Unknown]]:
    match = find_gpu(catalog, text)
    if match.vendor:
        index = f"PyTorch's {match.index_family} index" if match.index_family else "the default index"
        raise OutOfScope(
            f"{text} is not an NVIDIA GPU but one of {match.vendor}: out of scope",
            hint=f"PyTorch's builds for it are on {index}; for a CPU stack use --gpu none",
        )
    known = {candidate.version for candidate in catalog.components["gpu"].candidates} - {NONE}
    if len(match.capabilities) == 1 and match.capabilities[0] in known:
        return [Gpu(match.name, match.capabilities[0])] * match.count, []
    return [Gpu(text, "")], [_unknown_gpu(text, match.capabilities, match.candidates, catalog.horizon)]


def _unknown_ceiling(catalog: Catalog, target: Target) -> list[Unknown]:
    if target.driver or not target.driver_cuda:
        return []
    ceilings = {NumericVersion.parse(row.max_cuda) for row in catalog.branches if row.max_cuda}
    if NumericVersion.parse(target.driver_cuda) in ceilings:
        return []
    why = f"no driver branch in the catalogue of {catalog.horizon} runs CUDA up to exactly {target.driver_cuda}"
    return [Unknown(fact="driver", why=why, how=ASK_DRIVER)]


def _unread(line: str) -> Unknown:
    axis, _, problem = line.partition(": ")
    return Unknown(
        fact=axis,
        why=f"what the environment gives cannot be used: {problem}",
        how=f"write the {axis} as a plain version, or give --{_FLAGS.get(axis, axis)}",
    )


def _unknown_gpu(text: str, capabilities: tuple[str, ...], candidates: tuple[str, ...], horizon: str) -> Unknown:
    if len(capabilities) > 1:
        why = f"the name has several meanings: {', '.join(candidates)} ({' or '.join(capabilities)})"
    elif capabilities:
        why = f"compute capability {capabilities[0]} is not in the catalogue of {horizon}"
    else:
        why = f"the catalogue of {horizon} knows no GPU of that name"
        why += f"; similar: {', '.join(candidates)}" if candidates else ""
    return Unknown(fact=f"compute capability of {text}", why=why, how=ASK_CAPABILITY)
