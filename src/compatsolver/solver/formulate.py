"""Choose the slots a request needs and state what it and the host assume of them."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE, Component
from compatsolver.model.version import Capability
from compatsolver.solver.policy import wants_cpu
from compatsolver.solver.problem import Assumption, Layout, Problem, lay_out
from compatsolver.solver.requirements import Selection, select, select_cuda

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Gpu, Host
    from compatsolver.model.request import Requirement
    from compatsolver.model.rule import Unknown
    from compatsolver.model.version import NumericVersion

HOST_AND_RUNTIME = ("platform", "python", "glibc", "driver", "gpu", "cuda", "cudnn", "triton", "torch")


def formulate(
    catalog: Catalog, host: Host, requirements: Sequence[Requirement], cuda: str | None
) -> Problem | tuple[Unknown, ...]:
    """The problem of a request on a host, or the facts that are missing before it can be stated."""
    selections = [(requirement, select(catalog, requirement)) for requirement in requirements]
    runtime = select_cuda(catalog, cuda) if cuda else None
    unlisted = [chosen.unlisted for _, chosen in selections] + [runtime.unlisted if runtime else None]
    unknown = (*host.unknown, *(fact for fact in unlisted if fact))
    if unknown:
        return unknown
    capabilities = _by_capability(host.gpus)
    packages = frozenset(requirement.name for requirement in requirements)
    assumptions = (
        *_gpu_assumptions(catalog, host, capabilities),
        *_host_assumptions(catalog, host),
        *_request_assumptions(selections, runtime, cuda),
    )
    return Problem(layout_of(catalog, packages, len(capabilities)), assumptions)


@lru_cache(maxsize=64)
def layout_of(catalog: Catalog, packages: frozenset[str], gpus: int) -> Layout:
    """The slots for some packages on a machine with that many kinds of GPU."""
    components = {name: catalog.components[name] for name in HOST_AND_RUNTIME}
    for number in range(2, gpus + 1):
        components[f"gpu#{number}"] = catalog.components["gpu"]
    for name in _with_required(catalog, packages):
        components.setdefault(name, catalog.components[name])
    return lay_out(catalog.rules, components)


def interval(component: Component, version: NumericVersion) -> int:
    """The set holding the one candidate whose interval a version lies in."""
    ends = component.lower_ends
    return 1 << (len(ends) - bisect_right(ends, version))


def position_of(component: Component, version: str) -> int:
    """The set holding the candidate of exactly this version."""
    return sum(1 << i for i, candidate in enumerate(component.candidates) if candidate.version == version)


def _by_capability(gpus: Sequence[Gpu] | None) -> dict[str, list[str]]:
    """Capability → names; equal capabilities share a slot, because every rule treats them alike."""
    grouped: dict[str, list[str]] = {}
    for gpu in gpus or ():
        names = grouped.setdefault(gpu.capability, [])
        if gpu.name not in names:
            names.append(gpu.name)
    return dict(sorted(grouped.items(), key=lambda entry: Capability.parse(entry[0])))


def _with_required(catalog: Catalog, packages: frozenset[str]) -> list[str]:
    """The packages and what their releases require, in the catalogue's order."""
    wanted = set(packages)
    requires = [rule for rule in catalog.rules if rule.field == "requires"]
    while True:
        more = {rule.literals[1].component for rule in requires if rule.literals[0].component in wanted} - wanted
        if not more:
            return [name for name in catalog.components if name in wanted]
        wanted |= more


def _gpu_assumptions(catalog: Catalog, host: Host, capabilities: dict[str, list[str]]) -> Iterator[Assumption]:
    gpu, cuda = catalog.components["gpu"], catalog.components["cuda"]
    if wants_cpu(host):
        implied = host.gpus is None
        yield Assumption("gpu", position_of(gpu, NONE), "no NVIDIA GPU", "gpu", implied)
        yield Assumption("cuda", position_of(cuda, NONE), "a CPU build", "gpu", implied)
    elif host.gpus is None:
        yield Assumption("gpu", gpu.everything & ~position_of(gpu, NONE), "an NVIDIA GPU", "gpu", implied=True)
    for number, (capability, names) in enumerate(capabilities.items(), start=1):
        slot = "gpu" if number == 1 else f"gpu#{number}"
        yield Assumption(slot, position_of(gpu, capability), f"{', '.join(names)} ({capability})", "gpu")


def _host_assumptions(catalog: Catalog, host: Host) -> Iterator[Assumption]:
    components = catalog.components
    yield Assumption(
        "platform",
        position_of(components["platform"], host.platform),
        host.platform,
        "platform",
        "platform" in host.assumed,
    )
    yield Assumption(
        "python",
        position_of(components["python"], str(host.python)),
        f"Python {host.python}",
        "python",
        "python" in host.assumed,
    )
    if host.glibc is not None:
        allowed = interval(components["glibc"], host.glibc)
        yield Assumption("glibc", allowed, f"glibc {host.glibc}", "glibc", "glibc" in host.assumed)
    if host.driver is not None:
        yield Assumption("driver", interval(components["driver"], host.driver), f"driver {host.driver}", "driver")


def _request_assumptions(
    selections: Sequence[tuple[Requirement, Selection]], runtime: Selection | None, cuda: str | None
) -> Iterator[Assumption]:
    for requirement, chosen in selections:
        yield Assumption(requirement.name, chosen.allowed, requirement.text, "requirement")
        if chosen.torch_builds is not None:
            yield Assumption("torch", chosen.torch_builds, requirement.text, "requirement")
    if runtime:
        yield Assumption("cuda", runtime.allowed, f"CUDA {cuda}", "cuda")
