"""Fixes outside the packages: how far driver, Python, glibc, GPU or container would have to move, as a tight bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.ranges import interval_words, version_words, versions_of
from compatsolver.model.component import NONE, Component, members
from compatsolver.model.fix import DISPLAY_ONLY, UNSAFE, Fix
from compatsolver.model.rule import Kind
from compatsolver.model.version import PythonVersion
from compatsolver.solver.search import holds_with, propagated, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.solver.problem import Assumption, Problem

_BY_GPU = (Kind.ARCH_BELOW_WHEEL_MIN, Kind.ARCH_ABOVE_WHEEL_MAX, Kind.ARCH_BELOW_LIB_MIN, Kind.DRIVER_DROPS_GPU)


def moved(
    catalog: Catalog, problem: Problem, kept: Sequence[Assumption], assumption: Assumption, kind: Kind
) -> Fix | None:
    """Where one axis would have to be for the rest to hold; None where no value of it helps."""
    component = problem.layout.components[assumption.slot]
    allowed = possible(problem, kept, assumption.slot)
    if not allowed:
        return None
    if assumption.origin == "driver":
        return _driver(catalog, component, allowed, kind)
    if assumption.origin == "glibc":
        return _glibc(component, allowed)
    if assumption.origin == "python":
        return _python(component, allowed, assumption)
    if assumption.origin == "gpu" and kind in _BY_GPU:
        return _gpu(component, allowed)
    return None


def possible(problem: Problem, kept: Sequence[Assumption], slot: str) -> int:
    """The candidates of a slot with which everything that is kept can hold."""
    layout = problem.layout
    number = layout.numbers[slot]
    narrowed = propagated(layout.certain, problem.domains(kept, start=layout.certain_domains))
    if narrowed is None:
        return 0
    fitting, solution = 0, None
    for position in members(narrowed[number]):
        if solution is None or not holds_with(layout.certain, solution, number, position):
            domains = list(narrowed)
            domains[number] = 1 << position
            solution = search(layout.certain, domains, changed=(number,))
        if solution is not None:
            fitting |= 1 << position
    return fitting


def _driver(catalog: Catalog, component: Component, allowed: int, kind: Kind) -> Fix:
    words = interval_words(component, allowed)
    newest = members(allowed)[0]
    if newest > 0 and " or " not in words and kind is Kind.DRIVER_DROPS_GPU:
        end = int(component.candidates[newest - 1].version.split(".")[0])
        branch = next(row for row in catalog.branches if row.first_major < end)
        words = f">={branch.first_major},<{end}"
        action = f"Install a driver of branch {branch.name}, the last that drives this GPU; newer ones ignore it."
    else:
        lowest = words.replace(">=", "")
        action = f"Install an NVIDIA driver {lowest} or newer on the host; no container or environment brings one."
        if "<" in words:
            action = f"Install an NVIDIA driver {words} on the host."
    return Fix(change="driver", to=words, action=action, applicability=UNSAFE, verified=True)


def _glibc(component: Component, allowed: int) -> Fix:
    words = interval_words(component, allowed)
    action = (
        f"Run it on a system, or in a newer container image, whose glibc is {words}; do not replace the system's glibc."
    )
    return Fix(change="glibc", to=words, action=action, applicability=DISPLAY_ONLY, verified=True)


def _python(component: Component, allowed: int, assumption: Assumption) -> Fix | None:
    ordinary = sorted(PythonVersion.parse(text) for text in versions_of(component, allowed) if not text.endswith("t"))
    if not ordinary:
        return None
    current = PythonVersion.parse(component.candidates[members(assumption.allowed)[0]].version)
    older = [version for version in ordinary if version < current]
    if older:
        nearest, to = older[-1], f"<{older[-1].major}.{older[-1].minor + 1}"
    else:
        nearest, to = ordinary[0], f">={ordinary[0]}"
    action = f"Use Python {nearest}, the nearest for which there are wheels, in a new environment."
    return Fix(
        change="python",
        to=to,
        action=action,
        command=f"uv venv --python {nearest}",
        applicability=UNSAFE,
        verified=True,
    )


def _gpu(component: Component, allowed: int) -> Fix | None:
    served = version_words(component, allowed & ~_absent(component))
    if served == NONE:
        return None
    action = f"Use a GPU of compute capability {served}."
    return Fix(change="gpu", to=None, action=action, applicability=DISPLAY_ONLY, verified=True)


def _absent(component: Component) -> int:
    return sum(1 << i for i, candidate in enumerate(component.candidates) if candidate.version == NONE)


def image(catalog: Catalog, problem: Problem, kept: Sequence[Assumption]) -> Fix | None:
    """The newest runtime an image may have."""
    component = catalog.components["cuda"]
    fitting = versions_of(component, possible(problem, kept, "cuda"))
    if not fitting:
        return None
    newest, oldest = fitting[-1], fitting[0]
    action = f"Use an image built on CUDA {newest.split('.')[0]} or older ({oldest} to {newest} fit)."
    return Fix(change="container", cuda=newest, action=action, applicability=UNSAFE, verified=True)
