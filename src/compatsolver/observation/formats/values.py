"""The notations in which one value is written, brought to one.

Every function takes a text and gives the normalised one, or None where the text is not such a value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ALIASES = {"pytorch": "torch", "flash-attention": "flash-attn", "flashinfer": "flashinfer-python"}
_MACHINES = {
    **dict.fromkeys(("x86_64", "amd64", "x64", "x86-64"), "x86_64"),
    **{name: name for name in ("aarch64", "arm64", "ppc64le", "riscv64", "s390x", "armv7l", "i686", "i386")},
}
ABSENT = frozenset(("none", "n/a", "na", "no", "not found", "could not collect", "unknown", "null", "-", "[none]"))

_ENCODED = re.compile(r"\d{2,5}", re.ASCII)
_DOTTED = re.compile(r"[vV]?(\d{1,2}(?:\.\d{1,4}){1,3})", re.ASCII)
_WINDOWS_DRIVER = re.compile(r"\d{1,2}\.\d{1,2}\.\d{0,2}(\d)\.(\d{4})", re.ASCII)
_DRIVER = re.compile(r"(\d{3}(?:\.\d{1,3}){0,2})(?:\.x{1,3})?", re.ASCII)
_CAPABILITY = re.compile(r"\(?(?:sm_?|compute_?)?(\d{1,2})(?:\.|, ?)?(\d)[af]?\)?", re.ASCII | re.IGNORECASE)
_ARCHITECTURE = re.compile(r"(?:sm|compute|gfx)_?\d{1,4}[a-f]?", re.ASCII | re.IGNORECASE)
_NUMERIC = re.compile(r"\d{1,5}(?:\.\d{1,5}){0,4}", re.ASCII)
_WILD_RELEASE = re.compile(r"(\d+(?:\.\d+)*)\.[xX*]", re.ASCII)
_BUILD = re.compile(r"\+?(cu\d{2,3}|cpu|rocm[\d.]+|xpu)", re.ASCII | re.IGNORECASE)


def cuda_level(text: str) -> str | None:
    """`12.2` for "12.2", "V12.2.140" gives "12.2.140"; encoded: 12020, 9020, 1202 (xformers), 122 (wheel tags)."""
    text = text.strip()
    if text.casefold() in ABSENT:
        return "none"
    if dotted := _DOTTED.fullmatch(text):
        return dotted[1]
    if not _ENCODED.fullmatch(text):
        return None
    number = int(text)
    if number >= 2000:
        major, minor = number // 1000, number % 1000 // 10
    elif number >= 1000:
        major, minor = number // 100, number % 100
    elif number >= 40:
        major, minor = number // 10, number % 10
    else:
        major, minor = number, None
    return str(major) if minor is None else f"{major}.{minor}"


def driver_version(text: str) -> str | None:
    """`535.161.08`; Windows' own number 25.21.14.2531 is NVIDIA's 425.31; "525.xx" tells the branch."""
    text = text.strip()
    if windows := _WINDOWS_DRIVER.fullmatch(text):
        digits = windows[1] + windows[2]
        return f"{digits[:3]}.{digits[3:]}"
    driver = _DRIVER.fullmatch(text)
    return driver[1] if driver else None


def capability(text: str) -> str | None:
    """`8.6` for "8.6", "86", "sm_86", "compute_86", "sm_90a"."""
    match = _CAPABILITY.fullmatch(text.strip())
    return f"{int(match[1])}.{match[2]}" if match else None


def architectures(text: str) -> str | None:
    """`sm_70 compute_90` out of any list of them, in its order."""
    found = dict.fromkeys(name.lower() for name in _ARCHITECTURE.findall(text))
    return " ".join(found) or None


def capability_range(text: str) -> str | None:
    """`8.0-12.0` for "(8.0) - (12.0)"; one number alone is a minimum, `7.5-`."""
    numbers = re.findall(r"\d{1,2}\.\d", text)
    return "-".join(numbers) if len(numbers) == 2 else f"{numbers[0]}-" if len(numbers) == 1 else None


def numeric(text: str) -> str | None:
    """Versions of numbers alone; a tuple "(8, 3, 2)" too."""
    if "," in text:
        text = ".".join(re.findall(r"\d+", text))
    return text.strip() if _NUMERIC.fullmatch(text.strip()) else None


def encoded_library(text: str) -> str | None:
    """cuDNN and NCCL in their own numbers: 8907 is 8.9.7, 91002 is 9.10.2, 2708 is 2.7.8, 21903 is 2.19.3."""
    text = text.strip()
    if not text.isascii() or not text.isdigit():
        return numeric(text)
    number = int(text)
    if number >= 90000:
        return f"{number // 10000}.{number % 10000 // 100}.{number % 100}"
    if number >= 20000:
        return f"{number // 10000}.{number % 10000 // 100}.{number % 100}"
    return f"{number // 1000}.{number % 1000 // 100}.{number % 100}" if number >= 1000 else text


def nccl_release(text: str) -> str | None:
    """`2.21.5+cuda12.4`, a tuple, or NCCL's own number."""
    text = text.strip()
    return text if "+cuda" in text else encoded_library(text)


def release(text: str) -> str | None:
    """A package's version as PEP 440 writes it; "1.13.x" is `1.13.*`, "cu121" alone is `+cu121`."""
    text = text.strip().strip("'\"`,;()")
    if build := _BUILD.fullmatch(text):
        return f"+{build[1].lower()}"
    if wild := _WILD_RELEASE.fullmatch(text):
        return f"{wild[1]}.*"
    if len(text) > 80:
        return None
    try:
        Version(text)
    except InvalidVersion:
        return text if re.fullmatch(r"\d[\w.+~:-]*(?<![xX])", text, re.ASCII) else None
    return text.removeprefix("v")


def package_name(text: str) -> str:
    """The normalised name of a package; conda's `pytorch` is `torch`."""
    name = canonicalize_name(text.strip())
    return _ALIASES.get(name, name)


def truth(text: str) -> str | None:
    """`true` or `false`."""
    word = text.strip().casefold()
    if word in ("true", "yes", "1"):
        return "true"
    return "false" if word in ("false", "no", "0") else None


def machine(text: str) -> str | None:
    """`x86_64`, `aarch64`, `arm64` (Apple) or another processor's name."""
    return _MACHINES.get(text.strip().casefold())


def plain(text: str) -> str | None:
    """Any text, its blanks made single."""
    return " ".join(text.split())[:200].strip(" ,;|") or None


def symbol(text: str) -> str | None:
    """A symbol or the name of a library without punctuation around it."""
    return text.strip(" .,;:'\"`()[]") or None


NORMAL: Mapping[str, Callable[[str], str | None]] = {
    "compute_capability": capability,
    "device_count": numeric,
    "gpu_memory": numeric,
    "cuda_available": truth,
    "torch_cxx11_abi": truth,
    "driver": driver_version,
    "kernel_module": driver_version,
    "nvml_library": driver_version,
    "libcuda": driver_version,
    "nvidia_smi": driver_version,
    "driver_cuda": cuda_level,
    "required_cuda": cuda_level,
    "container_cuda": cuda_level,
    "torch_cuda": cuda_level,
    "torch_hip": cuda_level,
    "nvcc": cuda_level,
    "torch_archs": architectures,
    "build_archs": architectures,
    "unsupported_arch": architectures,
    "torch_capability_range": capability_range,
    "cudart": cuda_level,
    "nccl": nccl_release,
    "cudnn": encoded_library,
    "cudnn_compiled": encoded_library,
    "arch": machine,
    "glibc": numeric,
    "glibc_required": numeric,
    "ptxas": numeric,
    "undefined_symbol": symbol,
    "missing_library": symbol,
    "present_library": symbol,
    "failing_module": symbol,
    "missing_module": symbol,
    "library_path": symbol,
    "failing_package": package_name,
}


def normalised(axis: str, text: str) -> str | None:
    """The value of `axis` that `text` writes, or None."""
    if axis.startswith("package:"):
        return release(text)
    return NORMAL.get(axis, plain)(text)
