"""From free text about a machine to the axes of a target.

Each reader gives None for a text that does not say exactly one thing: nothing is guessed, and `unread` lists it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.request import PLATFORMS, Target

if TYPE_CHECKING:
    from compatsolver.model.environment import Environment

NEGATIVE = frozenset(("none", "no", "false", "off", "0", "absent", "not installed", "no gpu", "cpu", "cpu only"))

_DRIVER = re.compile(r"(?<![\d.])\d{3}(?:\.\d{1,3}){0,2}(?![\d.]*\d)", re.ASCII)
_LABELLED_DRIVER = re.compile(rf"(?i:driver|module)\D{{0,40}}?({_DRIVER.pattern})", re.ASCII)
_PYTHON = re.compile(r"(?<![\d.<>=~!])([23]\.\d{1,2})(?:\.\d+)?(t?)(?![\w+*]|\.\d)", re.ASCII)
_PATCH = re.compile(r"(?<![\d.<>=~!])[23]\.\d{1,2}\.(\d{1,2})(?![\d.])", re.ASCII)
_CUDA = re.compile(r"(?<![\d.])(?:9|1\d)\.\d(?![\d.])", re.ASCII)
_GLIBC = re.compile(r"(?<![\d.<>=~!])2\.\d{1,2}(?!\d)", re.ASCII)
_GPU_SEPARATOR = re.compile(
    r"[+&;\n]|\band\b|,(?!\s*(?:mig\b|\d+\s?gi?b|compute|cc\b|sm_?\d|driver|cuda))", re.IGNORECASE
)
_CAPABILITY_SEPARATOR = re.compile(r"[+&;,/\n]|\band\b|\bor\b", re.IGNORECASE)
_ARCHITECTURES = (
    ("aarch64", re.compile(r"\b(?:aarch64|arm64|armv8|sbsa|tegra|l4t|jetpack|apple silicon|m[1-5])\b|-tegra\b")),
    ("x86_64", re.compile(r"\b(?:x86[_-]64|amd64|x64|intel)\b")),
    ("other", re.compile(r"\b(?:i[3-6]86|x86|armv[67]\w*|ppc64\w*|riscv64|s390x|32[ -]?bit)\b(?![_-]64)")),
)
_SYSTEMS = (
    ("linux", re.compile(r"\bwsl\d?\b")),
    ("windows", re.compile(r"\bwin(?:dows|32|64|10|11)?\b")),
    ("macos", re.compile(r"\b(?:mac ?os|os ?x|darwin|macbook)\b")),
    ("linux", re.compile(r"linux|ubuntu|debian|\bmint\b|pop!?_?os|kali|fedora|centos|rhel|red ?hat|rocky|alma")),
    ("linux", re.compile(r"suse|sles|nixos|gentoo|manjaro|\barch\b|l4t|jetpack|tegra|dgx os|kaggle|colab|systemd")),
)
_USUAL_ARCHITECTURE = {"linux": "x86_64", "windows": "x86_64", "macos": "aarch64"}


def target_of(environment: Environment) -> Target:
    """The target that an environment describes; an axis that was not given, or not understood, is None.

    A system without its architecture is taken for the usual one (x86_64, on macOS arm64) and `assumed` says so.
    """
    platform, is_assumed = _platform(environment)
    driver = driver_number(environment.driver or "") or driver_number(environment.kernel_module or "")
    return Target(
        gpus=_gpus(environment),
        driver=driver,
        driver_cuda=cuda_version(environment.nvidia_smi_cuda or ""),
        python=python_version(environment.python or ""),
        python_patch=python_patch(environment.python or ""),
        platform=platform,
        glibc=glibc_version(environment.glibc or ""),
        wsl=is_wsl(environment),
        container=None if is_negative(environment.container) else environment.container,
        assumed=("platform",) if is_assumed else (),
    )


def unread(environment: Environment) -> tuple[str, ...]:
    """The texts that were given for an axis and do not say what it is."""
    problems = [
        f"{key}: no version in {_short(text)!r}"
        for key, text, read in (
            ("driver", environment.driver, driver_number),
            ("kernel_module", environment.kernel_module, driver_number),
            ("nvidia_smi_cuda", environment.nvidia_smi_cuda, cuda_version),
            ("python", environment.python, python_version),
            ("glibc", environment.glibc, glibc_version),
        )
        if text and not is_negative(text) and not read(text)
    ]
    words = (environment.os or "").casefold()
    if "alpine" in words or "musl" in words:
        problems.append("os: a system on musl, for which PyTorch has no wheels")
    if "pypy" in (environment.python or "").casefold():
        problems.append("python: PyPy, for which PyTorch has no wheels")
    told = " ".join(filter(None, (environment.os, environment.arch)))
    if told and not _platform(environment)[0]:
        problems.append(f"os: no platform in {_short(told)!r}; known are {', '.join(PLATFORMS)}")
    return tuple(problems)


def driver_number(text: str) -> str | None:
    """`535.161.08` in "Driver Version: 535.161.08", `580` in "580 branch"; the number after the word driver wins."""
    return _only(_LABELLED_DRIVER.findall(text)) or _only(_DRIVER.findall(text))


def python_version(text: str) -> str | None:
    """`3.11` in "Python 3.11.7", `3.14t` in "3.14.0 free-threading build"; a range is not a version."""
    free_threaded = "t" if re.search(r"free-?\s?thread", text, re.IGNORECASE) else ""
    return _only([minor + (flag or free_threaded) for minor, flag in _PYTHON.findall(text)])


def python_patch(text: str) -> str | None:
    """`7` in "Python 3.11.7", None where the text tells no patch release or several."""
    return _only(_PATCH.findall(text)) if python_version(text) else None


def cuda_version(text: str) -> str | None:
    """`12.2` in "CUDA Version: 12.2"."""
    return _only(_CUDA.findall(text))


def glibc_version(text: str) -> str | None:
    """`2.35` in "ldd (Ubuntu GLIBC 2.35-0ubuntu3.1) 2.35"; musl is not glibc."""
    return None if "musl" in text.casefold() else _only(_GLIBC.findall(text))


def is_wsl(environment: Environment) -> bool:
    """Whether it is a Linux under Windows: said in its own key, whatever the words, or in the name of the system."""
    if isinstance(environment.wsl, str):
        return not is_negative(environment.wsl)
    return environment.wsl if environment.wsl is not None else "wsl" in (environment.os or "").casefold()


def is_negative(text: str | None) -> bool:
    """Whether a text says that there is none."""
    return text is not None and text.strip().casefold() in NEGATIVE


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _only(found: list[str]) -> str | None:
    return found[0] if len(set(found)) == 1 else None


def _gpus(environment: Environment) -> tuple[str, ...] | None:
    """One text per GPU; a capability given beside the names is joined to them, since it decides."""
    names = _parts(_GPU_SEPARATOR, environment.gpu)
    stated = _parts(_CAPABILITY_SEPARATOR, environment.compute_capability)
    capabilities = [f"compute capability {part}" for part in stated]
    if len(names) == len(capabilities):
        names = [f"{name} ({capability})" for name, capability in zip(names, capabilities, strict=True)]
    else:
        names += capabilities
    return tuple(dict.fromkeys(names)) if names or environment.gpu is not None else None


def _parts(separator: re.Pattern[str], texts: tuple[str, ...] | None) -> list[str]:
    return [part.strip() for text in texts or () for part in separator.split(text) if part.strip()]


def _platform(environment: Environment) -> tuple[str | None, bool]:
    """The platform and whether its architecture is only the usual one."""
    told = f"{environment.os or ''} {environment.arch or ''}".casefold()
    architecture = _first(_ARCHITECTURES, told)
    system = "linux" if is_wsl(environment) else _first(_SYSTEMS, told)
    if system is None and environment.os is None and architecture:
        system = "macos" if "apple" in told else "linux"
    if system is None:
        return None, False
    spelled = architecture or _USUAL_ARCHITECTURE[system]
    platform = f"{system}-{'arm64' if (system, spelled) == ('macos', 'aarch64') else spelled}"
    return (platform, architecture is None) if platform in PLATFORMS else (None, False)


def _first(patterns: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> str | None:
    return next((name for name, pattern in patterns if pattern.search(text)), None)
