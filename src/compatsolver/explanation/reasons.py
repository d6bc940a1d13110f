"""Why a pin stands where it stands, and what an answer still asks of axes that nobody gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import Family, each
from compatsolver.solver.check import kept_by
from compatsolver.solver.search import propagated

if TYPE_CHECKING:
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Layout, Problem


def because(problem: Problem, assignment: dict[str, int]) -> dict[str, tuple[str, ...]]:
    """Slot → ids of the rules that hold through its choice alone and keep a newer candidate out of it."""
    layout = problem.layout
    holds = {slot: kept_by(layout, layout.numbers[slot], position) for slot, position in assignment.items()}
    once = twice = 0
    for kept in holds.values():
        twice |= once & kept
        once |= kept
    return {slot: _binding(layout, slot, assignment[slot], kept & ~twice) for slot, kept in holds.items()}


def _binding(layout: Layout, slot: str, position: int, alone: int) -> tuple[str, ...]:
    """Of the clauses that one slot alone keeps, the ids of those that a newer candidate would not."""
    number = layout.numbers[slot]
    ids: dict[str, None] = {}
    for clause in each(alone):
        newer = (1 << position) - 1
        for holder, allowed in layout.clauses[clause]:
            if holder == number:
                newer &= ~allowed
        if newer:
            ids[layout.ids[layout.origins[clause]]] = None
    return tuple(ids)


def conditions(problem: Problem, host: Host, assignment: dict[str, int]) -> tuple[str, ...]:
    """What the machine must have on the axes that were not given, with the chosen packages in place."""
    open_axes = {
        "driver": (host.driver or host.driver_cuda) is None,
        "gpu": host.gpus is None,
        "glibc": host.glibc is None,
    }
    if not any(open_axes.values()):
        return ()
    from compatsolver.explanation.ranges import interval_words, version_words

    domains = problem.domains()
    for slot, component in problem.layout.components.items():
        if component.kind != "host":
            domains[problem.layout.numbers[slot]] = 1 << assignment[slot]
    narrowed = propagated(problem.layout.unavoided, domains) or domains
    words = []
    for axis, is_open in open_axes.items():
        component, mask = problem.layout.components[axis], narrowed[problem.layout.numbers[axis]]
        if not is_open or mask == component.everything:
            continue
        if component.family is Family.CAPABILITY:
            served = version_words(component, mask)
            if served != "none":
                words.append(f"needs a GPU of compute capability {served}")
        else:
            words.append(f"needs {component.name} {interval_words(component, mask)}")
    return tuple(words)
