"""Choose the slots a request needs and state what it and the host assume of them."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE, Component
from compatsolver.model.version import NumericVersion
from compatsolver.solver.policy import wants_cpu
from compatsolver.solver.problem import Assumption, Layout, Problem, lay_out_clauses
from compatsolver.solver.selection import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Gpu, Host
    from compatsolver.model.request import Requirement, Selection
    from compatsolver.model.rule import Rule, Unknown

HOST_AND_RUNTIME = ("platform", "python", "glibc", "driver", "gpu", "cuda", "cudnn", "triton", "torch")


def formulate(
    catalog: Catalog,
    host: Host,
    requirements: Sequence[Requirement],
    cuda: str | None,
    beside: Iterable[str] = (),
) -> Problem | tuple[Unknown, ...]:
    """The problem of a request on a host, or the facts that are missing before it can be stated.

    `beside` names packages that have a place in the problem although nothing requires them.
    """
    packages = frozenset(entry.name for entry in requirements if not entry.is_constraint).union(beside)
    extras = frozenset((entry.name, extra) for entry in requirements for extra in entry.extras)
    layout = layout_of(catalog, packages, len({gpu.capability for gpu in host.gpus or ()}), extras)
    selections = [(entry, select(catalog, entry)) for entry in requirements if entry.name in layout.components]
    runtime = _runtime(catalog, cuda) if cuda else None
    unlisted = [chosen.unlisted for _, chosen in selections] + [runtime.unlisted if runtime else None]
    if unknown := (*host.unknown, *(fact for fact in unlisted if fact)):
        return unknown
    capabilities = _by_capability(host.gpus)
    assumptions = (
        *_gpu_assumptions(catalog, host, capabilities),
        *_host_assumptions(catalog, host),
        *_request_assumptions(selections, runtime, cuda),
    )
    return Problem(layout, assumptions)


def _runtime(catalog: Catalog, cuda: str) -> Selection:
    from compatsolver.solver.requirements import select_cuda

    return select_cuda(catalog, cuda)


@lru_cache(maxsize=64)
def layout_of(
    catalog: Catalog, packages: frozenset[str], gpus: int, extras: frozenset[tuple[str, str]] = frozenset()
) -> Layout:
    """The slots for some packages, with some of their extras, on a machine with that many kinds of GPU."""
    components = {name: catalog.components[name] for name in HOST_AND_RUNTIME}
    for number in range(2, gpus + 1):
        components[f"gpu#{number}"] = catalog.components["gpu"]
    for name in _with_required(catalog, packages, extras):
        components.setdefault(name, catalog.components[name])

    def is_meant(extra: str | None, literals: Sequence[tuple[str, int]]) -> bool:
        return extra is None or (literals[0][0], extra) in extras

    def rules() -> list[Rule]:
        return [rule for rule in catalog.rules_on(components) if is_meant(rule.extra, rule.literals)]

    stored = catalog.clauses_on(components)
    meant = [(identifier, literals) for identifier, extra, literals in stored if is_meant(extra, literals)]
    return lay_out_clauses(meant, components, rules)


def interval(component: Component, version: NumericVersion) -> int:
    """The set holding the one candidate whose interval a version lies in."""
    return 1 << sum(version < end for end in component.lower_ends)


def drivers_of(catalog: Catalog, cuda: NumericVersion) -> int:
    """The drivers of the branches whose newest CUDA is exactly this, which is what nvidia-smi prints of them."""
    branches = [row for row in catalog.branches if row.max_cuda and NumericVersion.parse(row.max_cuda) == cuda]
    ends = catalog.components["driver"].lower_ends
    within = [any(row.first_major <= end.major < row.below_major for row in branches) for end in ends]
    return sum(1 << place for place, is_within in enumerate(reversed(within)) if is_within)


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
    return dict(sorted(grouped.items(), key=lambda entry: NumericVersion.parse(entry[0])))


def _with_required(catalog: Catalog, packages: frozenset[str], extras: frozenset[tuple[str, str]]) -> list[str]:
    """The packages and what their releases and extras require, dependents before what they require."""
    leaves_first: dict[str, None] = {}
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name not in entered:
            entered.add(name)
            added = [catalog.extras(name).get(extra, ()) for package, extra in sorted(extras) if package == name]
            for required in chain(catalog.requires.get(name, ()), *added):
                visit(required)
            leaves_first[name] = None

    for name in reversed(list(catalog.components)):
        if name in packages:
            visit(name)
    return list(leaves_first)[::-1]


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
    elif host.driver_cuda is not None:
        allowed = drivers_of(catalog, host.driver_cuda)
        yield Assumption("driver", allowed, f"a driver for CUDA {host.driver_cuda} at most", "driver")


def _request_assumptions(
    selections: Sequence[tuple[Requirement, Selection]], runtime: Selection | None, cuda: str | None
) -> Iterator[Assumption]:
    for requirement, chosen in selections:
        yield Assumption(requirement.name, chosen.allowed, requirement.words, "requirement")
        if chosen.torch_builds is not None:
            yield Assumption("torch", chosen.torch_builds, requirement.text, "requirement")
    if runtime:
        yield Assumption("cuda", runtime.allowed, f"CUDA {cuda}", "cuda")
