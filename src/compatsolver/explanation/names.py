"""The names that templates of symptoms use: what was read, and what the catalogue derives from it.

`{nvcc}` is replaced by the value of that name, `{nvcc|minor}` by part of it. A template with a name that nobody knows
is passed over: no sentence is made of guesses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.explanation.stack import minor_of
from compatsolver.model.component import NONE
from compatsolver.model.observation import AXES, PACKAGE, VARIABLE
from compatsolver.model.version import NumericVersion
from compatsolver.solver.formulate import position_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.stack import Stack

TEXT = "text"
_PLACE = re.compile(r"\{([a-z0-9_:.-]+)(?:\|([a-z]+))?\}", re.IGNORECASE)
_SYSTEMS = {"linux": "Linux", "wsl": "WSL", "windows": "Windows", "macos": "macOS"}


def names_of(catalog: Catalog, stack: Stack) -> dict[str, str]:
    """Every name with a value: axes, `package:NAME`, `env:NAME`, and those derived."""
    names = {axis: stack.reading.values(axis)[0] for axis in AXES if stack.reading.values(axis)}
    names |= {f"{PACKAGE}{name}": version for name, version in stack.packages.items()}
    names |= {entry.axis: entry.value for entry in stack.reading.observations if entry.axis.startswith(VARIABLE)}
    names |= {name: value for name, value in _derived(catalog, stack) if value}
    return names | {TEXT: stack.reading.text}


def _derived(catalog: Catalog, stack: Stack) -> Iterator[tuple[str, str | None]]:
    yield "torch", stack.spelling or None
    yield "torch_release", stack.torch
    yield "torch_cuda", stack.cuda
    yield "image_cuda", stack.image_cuda
    yield "vendor", stack.vendor
    yield "index_family", stack.index_family
    if stack.gpus:
        lowest = min(stack.gpus, key=lambda gpu: float(gpu.capability))
        yield "gpu", lowest.name
        yield "compute_capability", lowest.capability
        yield "sm", f"sm_{lowest.capability.replace('.', '')}"
    if stack.platform:
        yield "platform", stack.platform
        yield "system", _SYSTEMS[stack.platform.partition("-")[0]]
    if stack.python:
        yield "python", str(stack.python)
    yield from _drivers(catalog, stack)


def _drivers(catalog: Catalog, stack: Stack) -> Iterator[tuple[str, str | None]]:
    ceiling = stack.ceiling
    runtime = stack.cuda if stack.cuda not in (None, NONE) else stack.image_cuda
    if runtime:
        yield "runtime", runtime
        yield "runtime_floor", driver_floor(catalog, runtime, stack.platform)
    if ceiling is not None:
        yield "driver_cuda", str(ceiling)
        following = "10.2" if ceiling < NumericVersion.parse("10.2") else f"{ceiling.major + 1}.0"
        yield "next_runtime", following
        yield "next_floor", driver_floor(catalog, following, stack.platform)


def driver_floor(catalog: Catalog, cuda: str, platform: str | None) -> str | None:
    """The lowest driver that runs a runtime; None where the tables have none for it."""
    system = "windows" if platform and platform.startswith(("windows", "wsl")) else "linux"
    component, drivers = catalog.components["cuda"], catalog.components["driver"]
    position = position_of(component, cuda if "." in cuda else f"{cuda}.0")
    for rule in catalog.rules:
        if rule.id.startswith("cuda-driver-floor/") and rule.id.endswith(system):
            literals = {literal.component: literal.allowed for literal in rule.literals}
            if position and not literals["cuda"] & position:
                return drivers.candidates[literals["driver"].bit_length() - 1].version
    return None


def filled(templates: str | Sequence[str] | None, names: Mapping[str, str]) -> str | None:
    """The first template whose names are all known, with their values; None where there is none."""
    for template in [templates] if isinstance(templates, str) else templates or ():
        unknown: list[str] = []

        def value(match: re.Match[str], unknown: list[str] = unknown) -> str:
            found = names.get(match[1])
            found = PARTS[match[2]](found) if found is not None and match[2] else found
            if found is None:
                unknown.append(match[1])
            return found or ""

        text = _PLACE.sub(value, template)
        if not unknown:
            return text
    return None


def template_names(template: str) -> list[str]:
    """The names a template uses, for the lint of the tables."""
    return [match[1] for match in _PLACE.finditer(template)]


def template_parts(template: str) -> list[str]:
    """The parts a template asks for, for the lint of the tables."""
    return [match[2] for match in _PLACE.finditer(template) if match[2]]


def _tag(text: str) -> str | None:
    minor = minor_of(text)
    return f"cu{minor.replace('.', '')}" if minor else None


def _dotted(text: str) -> str | None:
    digits = re.sub(r"\D", "", text)
    return f"{digits[:-1]}.{digits[-1]}" if len(digits) > 1 else None


def _major(text: str) -> str | None:
    match = re.search(r"\d+", text)
    return match[0] if match else None


def _next(text: str) -> str | None:
    match = re.match(r"(.*?)(\d+)$", text)
    return f"{match[1]}{int(match[2]) + 1}" if match else None


def _level(text: str) -> str | None:
    """`12.2` of CUDA's encoded 12020."""
    return f"{int(text) // 1000}.{int(text) % 1000 // 10}" if text.isdigit() else minor_of(text)


def _plain(text: str) -> str:
    """A library's file name without its directory."""
    return re.split(r"[\\/]", text)[-1]


def _package(text: str) -> str:
    """A module or package as its installer spells it."""
    return re.sub(r"[-_.]+", "-", text).lower()


PARTS: Mapping[str, Callable[[str], str | None]] = {
    "minor": minor_of,
    "major": _major,
    "next": _next,
    "tag": _tag,
    "dotted": _dotted,
    "level": _level,
    "file": _plain,
    "package": _package,
    "lower": str.lower,
}
