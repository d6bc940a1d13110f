"""File names of wheels, and what builders write into them about torch, CUDA and the C++ ABI."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.observation.formats.values import cuda_level, package_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_WHEEL = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w.]{0,60})-(?P<version>v?\d[\w.!+%]{0,80})(?:-(?P<build>\d\w{0,20}))?"
    r"-(?P<python>(?:cp|py|pp)\d[\w.]{0,40})-(?P<abi>\w{1,20})-(?P<platform>[\w.]{3,100})\.whl",
    re.ASCII,
)
_MADE_FOR = (
    ("torch", re.compile(r"(?:torch|pt)(\d+(?:\.\d+){0,2})", re.ASCII)),
    ("cuda", re.compile(r"cu(?:da)?(\d{2,5})", re.ASCII)),
    ("cxx11abi", re.compile(r"(?:cxx11)?abi(TRUE|FALSE)", re.ASCII | re.IGNORECASE)),
)


class Wheel(NamedTuple):
    """The parts of a wheel's file name; `made_for` pairs `torch`, `cuda` and `cxx11abi` with what the version tells."""

    name: str
    version: str
    tags: str
    made_for: tuple[tuple[str, str], ...]


def wheels_in(text: str) -> Iterator[Wheel]:
    """Every wheel that is named in a text."""
    if ".whl" not in text:
        return
    for match in _WHEEL.finditer(text.replace("%2B", "+").replace("%2b", "+")):
        name, version = package_name(match["name"]), match["version"]
        yield Wheel(name, version, f"{match['python']}-{match['abi']}-{match['platform']}", made_for(name, version))


def made_for(name: str, version: str) -> tuple[tuple[str, str], ...]:
    """What a local version such as `2.5.5+cu118torch2.2cxx11abiTRUE` says, apart from torch's own builds."""
    local = version.partition("+")[2]
    parts = []
    for part, pattern in _MADE_FOR:
        match = pattern.search(local)
        if not match or (name == "torch" and part != "cuda"):
            continue
        value = match[1].lower()
        if part == "torch" and "." not in value and len(value) > 1:
            value = ".".join((value[0], value[1:-1] or value[-1], *([value[-1]] if len(value) > 2 else [])))
        if level := (cuda_level(value) if part == "cuda" else value):
            parts.append((part, level))
    return tuple(parts)
