"""The names that templates of symptoms use: what was read, and what follows from it.

`{nvcc}` is replaced by the value of that name, `{nvcc|major}` by a part of it. A template with a name that nobody knows
is passed over: no sentence is made of guesses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis import lookups
from compatsolver.explanation.diagnosis.arch_lists import served
from compatsolver.explanation.diagnosis.parts import parts_of
from compatsolver.model.component import NONE
from compatsolver.model.observation import AXES, PACKAGE, VARIABLE
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack

TEXT = "text"
_PLACE = re.compile(r"\{([a-z0-9_:.-]+)((?:\|[a-z]+)*)\}", re.IGNORECASE)
_SYSTEMS = {"linux": "Linux", "wsl": "WSL", "windows": "Windows", "macos": "macOS"}
_COMPANIONS = ("torch", "torchvision", "torchaudio", "pytorch", "triton", "numpy", "cudatoolkit", "pytorch-cuda")
_WITH_PACKAGE = ("top", "importer", "who", "what", "name")
_OF_ONE_CUDA = re.compile(r"nvidia-(?P<library>[a-z][a-z-]*?)(?:-cu1\d)?")
_INDEX_TAG = re.compile(r"/whl/(?:nightly/|test/)?(cu\d{2,3}|cpu)\b")
_BUILT_FOR = re.compile(r"\+?cuda(\d+\.\d+)")


class Names(dict[str, str]):
    """Values by name, with the parts that can be taken of them."""

    def __init__(self, values: Mapping[str, str], parts: Mapping[str, Callable[[str], str | None]]) -> None:
        super().__init__(values)
        self.parts = parts

    def with_groups(self, groups: Mapping[str, str]) -> Names:
        """These names and those of a match, with the versions of the packages that the match names."""
        versions = {}
        for group in _WITH_PACKAGE:
            package = re.sub(r"[-_.]+", "-", groups.get(group, "")).lower()
            if f"{PACKAGE}{package}" in self:
                versions[f"{group}_version"] = self[f"{PACKAGE}{package}"]
        return Names({**self, **versions, **groups}, self.parts)


def names_of(catalog: Catalog, stack: Stack) -> Names:
    """Every name with a value: axes, `package:NAME`, `env:NAME`, and those derived."""
    names = {axis: stack.reading.values(axis)[0] for axis in AXES if stack.reading.values(axis)}
    names |= {f"{PACKAGE}{name}": version for name, version in stack.packages.items()}
    names |= {entry.axis: entry.value for entry in stack.reading.observations if entry.axis.startswith(VARIABLE)}
    names |= {name: value for name, value in _derived(catalog, stack) if value}
    names |= dict(_texts(stack, names))
    return Names(names, parts_of(catalog, stack.platform))


def _derived(catalog: Catalog, stack: Stack) -> Iterator[tuple[str, str | None]]:
    yield "torch", stack.spelling or None
    yield "torch_release", stack.torch
    yield "torch_cuda", stack.cuda
    yield "image_cuda", stack.image_cuda
    yield "vendor", stack.vendor
    yield "index_family", stack.index_family
    yield "platform", stack.platform
    yield "system", _SYSTEMS.get((stack.platform or "").partition("-")[0])
    yield "python", str(stack.python) if stack.python else None
    if stack.gpus:
        lowest = min(stack.gpus, key=lambda gpu: float(gpu.capability))
        yield "gpu", lowest.name
        yield "compute_capability", lowest.capability
        yield "sm", f"sm_{lowest.capability.replace('.', '')}"
    tags = _INDEX_TAG.findall(" ".join(stack.reading.values("index")))
    yield "index_tag", tags[0] if len(set(tags)) == 1 else None
    yield "served", served(catalog, stack)
    yield "printed_archs", next(iter(stack.reading.values("torch_archs")), None)
    yield from _drivers(catalog, stack)
    yield from _packages(stack)


def _drivers(catalog: Catalog, stack: Stack) -> Iterator[tuple[str, str | None]]:
    runtime = stack.cuda if stack.cuda not in (None, NONE) else stack.image_cuda
    if runtime:
        yield "runtime", runtime
        yield "runtime_floor", lookups.floor(catalog, stack.platform, runtime)
    told = stack.reading.values("driver_cuda")
    if stack.ceiling is not None:
        below = stack.ceiling < NumericVersion.parse("10.2")
        following = "10.2" if below else f"{stack.ceiling.major + 1}.0"
        yield "driver_cuda", str(stack.ceiling)
        yield "driver_cuda_highest", max(told, key=lambda text: [int(part) for part in re.findall(r"\d+", text)])
        yield "next_floor", lookups.floor(catalog, stack.platform, following)
    nvcc = stack.reading.values("nvcc")
    yield "host_cuda", str(stack.ceiling) if stack.ceiling else nvcc[0] if nvcc else None


def _packages(stack: Stack) -> Iterator[tuple[str, str | None]]:
    failing = stack.reading.values("failing_package")
    if failing:
        yield "failing_version", stack.packages.get(failing[0])
    users = [name for name in stack.packages if name not in _COMPANIONS and not _is_library(name)]
    name = failing[0] if failing else users[0] if users else None
    if name:
        yield "consumer_name", name
        yield "consumer", f"{name} {stack.packages.get(name, '')}".strip()
    yield from _twins(stack)
    nccl = [*stack.reading.values("nccl"), *(stack.packages[name] for name in stack.packages if "nccl" in name)]
    for text in nccl:
        if match := _BUILT_FOR.search(text):
            yield "nccl_found", text
            yield "nccl_built_for", match[1]
            break
    told = list(dict.fromkeys(text.partition("+")[0] for text in stack.reading.values("nccl")))
    if len(told) > 1:
        yield "nccl_other", told[1]
    cudnn = stack.packages.get("cudnn") or next(iter(stack.reading.values("cudnn")), None)
    yield "found_cudnn", cudnn


def _twins(stack: Stack) -> Iterator[tuple[str, str | None]]:
    """Two packages that bring one NVIDIA library for two CUDA majors (`-cu11`, `-cu12`, none for CUDA 13)."""
    brought: dict[str, str] = {}
    for name, version in stack.packages.items():
        match = _OF_ONE_CUDA.fullmatch(name)
        if match is None:
            continue
        twin = brought.setdefault(match["library"], name)
        if twin != name:
            yield "twin_one", f"{twin} {stack.packages[twin]}"
            yield "twin_one_name", twin
            yield "twin_two", f"{name} {version}"
            yield "twin_two_name", name
            return


def _is_library(name: str) -> bool:
    return name.startswith(("nvidia-", "lib", "cuda-")) or name in ("cudnn", "nccl", "cuda")


def _texts(stack: Stack, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The paste, and the paste with what the environment document adds to it, for patterns on either."""
    yield TEXT, stack.reading.text
    machine = [names[axis] for axis in ("os", "container", "gpu", "kernel", "jetpack", "l4t") if axis in names]
    machine += ["container"] if "container" in names else []
    machine += ["jetpack" for axis in ("jetpack", "l4t") if axis in names]
    yield "text_or_os", "\n".join([stack.reading.text, *machine])
    variables = [name.removeprefix(VARIABLE) for name in names if name.startswith(VARIABLE)]
    yield "text_or_env", "\n".join([stack.reading.text, *variables])


def filled(templates: str | Sequence[str] | None, names: Names) -> str | None:
    """The first template whose names are all known, with their values; None where there is none."""
    for template in [templates] if isinstance(templates, str) else templates or ():
        unknown: list[str] = []

        def value(match: re.Match[str], unknown: list[str] = unknown) -> str:
            found = names.get(match[1])
            for part in match[2].split("|")[1:]:
                found = names.parts[part](found) if found is not None else None
            if found is None:
                unknown.append(match[1])
            return found or ""

        text = _PLACE.sub(value, template)
        if not unknown:
            return text
    return None


def places(template: str) -> list[tuple[str, list[str]]]:
    """The names a template uses, each with the parts it asks for."""
    return [(match[1], match[2].split("|")[1:]) for match in _PLACE.finditer(template)]
