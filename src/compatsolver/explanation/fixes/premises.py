"""From a stack to a problem: what is assumed of each slot, with torch left out where the tables do not hold it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.explanation.fixes.stack import CPU
from compatsolver.model.component import NONE, Component, members
from compatsolver.model.version import NumericVersion, package_version
from compatsolver.solver.formulate import HOST_AND_RUNTIME, drivers_of, interval, position_of
from compatsolver.solver.problem import Assumption, Layout, Problem, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack

INSTALLED = frozenset(("wheels", "pythons", "glibc", "published"))
"""Columns that say what can be installed where: no matter for what is installed already."""
PRINTED_ARCHS = INSTALLED | {"archs"}
USUAL_PLATFORM = "linux-x86_64"
_LOOKED_AT = 1_000_000
_WINDOWS_PATH = re.compile(r"(?<![A-Za-z])[A-Z]:\\[A-Za-z]|\bWinError\b|\bsite-packages\\")


def usual_platform(stack: Stack) -> str:
    """What to take the machine for where nobody told: Windows where a path of it is seen, else Linux."""
    text = stack.reading.text
    is_windows = ("\\" in text or "WinError" in text) and _WINDOWS_PATH.search(text[:_LOOKED_AT]) is not None
    return "windows-x86_64" if is_windows else USUAL_PLATFORM


def torch_mask(catalog: Catalog, stack: Stack) -> int:
    """The listed builds that the installed torch can be; 0 where it is not in the tables."""
    component = catalog.components["torch"]
    if stack.torch is None and stack.tag is None:
        return 0
    mask = 0
    for position, candidate in enumerate(component.candidates):
        if stack.torch is not None and not _is_release(candidate.version, stack.torch):
            continue
        if stack.tag is not None and candidate.build != stack.tag:
            continue
        if stack.cuda is not None and not _has_runtime(catalog, position, stack.cuda):
            continue
        mask |= 1 << position
    return _on_platform(component, mask, stack) or mask


def _on_platform(component: Component, mask: int, stack: Stack) -> int:
    """Those of some builds that are for the machine's platform."""
    platform = (stack.platform or "").replace("wsl", "linux")
    return sum(1 << position for position in members(mask) if component.candidates[position].platform == platform)


def _is_release(version: str, wanted: str) -> bool:
    return version.startswith(wanted[:-1]) if wanted.endswith(".*") else version == wanted


def _has_runtime(catalog: Catalog, position: int, cuda: str) -> bool:
    candidate = catalog.components["torch"].candidates[position]
    if candidate.build == CPU:
        return cuda == NONE
    built = catalog.build(position).cuda
    return built is not None and ".".join(built.split(".")[:2]) == cuda


def problem_of(
    catalog: Catalog, stack: Stack, *, without: frozenset[str] = INSTALLED, torch: int | None = None
) -> Problem:
    """The stack as assumptions on the catalogue's rules.

    `without` names columns whose rules are left out: what is installed need not be installable, and an arch list that
    was printed beats the tables'. `torch` replaces what is assumed of torch: 0 leaves it out of the problem.
    """
    mask = torch_mask(catalog, stack) if torch is None else torch
    gpus = tuple(dict.fromkeys(gpu.capability for gpu in stack.gpus))
    packages = tuple(name for name in stack.packages if _is_listed(catalog, name, stack.packages[name]))
    layout = layout_for(catalog, packages, len(gpus), bool(mask), without)
    assumptions = [
        *_gpu(catalog, stack, gpus),
        *_host(catalog, stack, needs_nvidia=bool(gpus) or (stack.cuda not in (None, NONE))),
        *_runtime(catalog, stack, mask),
        *(_package(catalog, name, stack.packages[name]) for name in packages),
    ]
    return Problem(layout, tuple(assumptions))


@lru_cache(maxsize=32)
def layout_for(
    catalog: Catalog,
    packages: tuple[str, ...],
    gpus: int,
    torch_listed: bool,
    without: frozenset[str] = frozenset(),
) -> Layout:
    """Slots and rules for a machine with that many kinds of GPU."""
    names = [name for name in HOST_AND_RUNTIME if torch_listed or name not in ("torch", "cudnn", "triton")]
    names += [name for name in packages if name not in names]
    components = {name: catalog.components[name] for name in names}
    components |= {f"gpu#{number}": catalog.components["gpu"] for number in range(2, gpus + 1)}
    rules = [rule for rule in catalog.rules_on(components) if rule.field not in without]
    if not torch_listed:
        rules += catalog.rules_beyond
    return lay_out(rules, components)


def _gpu(catalog: Catalog, stack: Stack, capabilities: tuple[str, ...]) -> Iterator[Assumption]:
    component = catalog.components["gpu"]
    for number, capability in enumerate(capabilities, start=1):
        names = dict.fromkeys(gpu.name for gpu in stack.gpus if gpu.capability == capability)
        text = f"{', '.join(names)} (compute capability {capability}, sm_{capability.replace('.', '')})"
        yield Assumption("gpu" if number == 1 else f"gpu#{number}", position_of(component, capability), text, "gpu")


def _host(catalog: Catalog, stack: Stack, *, needs_nvidia: bool) -> Iterator[Assumption]:
    components = catalog.components
    if stack.platform is not None:
        yield Assumption("platform", position_of(components["platform"], stack.platform), stack.platform, "platform")
    elif needs_nvidia:
        usual = position_of(components["platform"], usual_platform(stack))
        yield Assumption("platform", usual, usual_platform(stack), "platform", implied=True)
    python = position_of(components["python"], str(stack.python)) if stack.python else 0
    if python:
        yield Assumption("python", python, f"Python {stack.python}", "python")
    if stack.glibc is not None:
        yield Assumption("glibc", interval(components["glibc"], stack.glibc), f"glibc {stack.glibc}", "glibc")
    drivers = driver_mask(catalog, stack)
    if drivers:
        told = f"driver {stack.driver}" if stack.driver else f"a driver for CUDA {stack.ceiling} at most"
        yield Assumption("driver", drivers, told, "driver")


def driver_mask(catalog: Catalog, stack: Stack) -> int:
    """The driver intervals that the machine's can lie in; 0 where nothing is told."""
    component = catalog.components["driver"]
    if stack.driver is not None:
        try:
            version = NumericVersion.parse(stack.driver)
        except ValueError:
            return 0
        branch = catalog.branch_of(version.major) if "." not in stack.driver else None
        if branch is None:
            return interval(component, version)
        return _between(component, branch.first_major, branch.below_major)
    return drivers_of(catalog, stack.ceiling) if stack.ceiling is not None else 0


def _between(component: Component, first_major: int, below_major: int) -> int:
    majors = [NumericVersion.parse(candidate.version).major for candidate in component.candidates]
    return sum(1 << i for i, major in enumerate(majors) if first_major <= major < below_major)


def _runtime(catalog: Catalog, stack: Stack, mask: int) -> Iterator[Assumption]:
    if mask:
        yield Assumption("torch", mask, torch_words(stack), "requirement")
        return
    component = catalog.components["cuda"]
    if stack.cuda and stack.cuda != NONE:
        allowed, text = (
            position_of(component, stack.cuda),
            f"CUDA {stack.cuda} (torch {stack.spelling})".replace(" (torch )", ""),
        )
    elif stack.cuda is None and stack.torch is None and stack.image_cuda:
        allowed, text = _image_mask(component, stack.image_cuda), f"a container with CUDA {stack.image_cuda}"
    else:
        return
    if allowed:
        yield Assumption("cuda", allowed, text, "cuda")


def _image_mask(component: Component, cuda: str) -> int:
    """The runtimes of an image that names a minor (`12.4`) or only a major (`13`)."""
    versions = [candidate.version for candidate in component.candidates]
    return sum(1 << i for i, text in enumerate(versions) if cuda in (text, text.split(".")[0]))


def torch_words(stack: Stack) -> str:
    """torch as the text tells it: release, build, runtime."""
    words = f"torch {stack.spelling}".strip()
    if stack.tag is None and stack.cuda == NONE:
        return f"{words} (a CPU build)"
    if stack.tag is None and stack.cuda:
        return f"{words} (built for CUDA {stack.cuda})"
    return words


def _is_listed(catalog: Catalog, name: str, version: str) -> bool:
    component = catalog.components.get(name)
    return (
        component is not None
        and component.kind == "package"
        and name != "torch"
        and bool(_of_version(component, version))
    )


def _package(catalog: Catalog, name: str, version: str) -> Assumption:
    return Assumption(name, _of_version(catalog.components[name], version), f"{name} {version}", "requirement")


def _of_version(component: Component, text: str) -> int:
    """The candidates of one version, local part aside; 0 where the text is no version of the component."""
    try:
        wanted = SpecifierSet(f"=={text.partition('+')[0]}")
        package_version(text.partition("+")[0].removesuffix(".*"))
    except ValueError:
        return 0
    return sum(
        1 << i
        for i, candidate in enumerate(component.candidates)
        if candidate.version[0].isdigit() and wanted.contains(candidate.version, prereleases=True)
    )
