"""Why a pin stands where it stands, and what an answer still asks of axes that nobody gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.ranges import interval_words, version_words
from compatsolver.model.component import Family
from compatsolver.solver.search import propagated

if TYPE_CHECKING:
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Problem


def because(problem: Problem, assignment: dict[str, int], slot: str) -> tuple[str, ...]:
    """Ids of the rules that hold through this slot's choice alone and keep a newer candidate out of it."""
    newer = (1 << assignment[slot]) - 1
    binding: dict[str, None] = {}
    for entry in problem.layout.bound:
        holding = [
            name
            for name, literal in zip(entry.slots, entry.rule.literals, strict=True)
            if literal.allowed >> assignment[name] & 1
        ]
        if holding == [slot] and newer & ~entry.rule.literals[entry.slots.index(slot)].allowed:
            binding[entry.rule.id] = None
    return tuple(binding)


def conditions(problem: Problem, host: Host, assignment: dict[str, int]) -> tuple[str, ...]:
    """What the machine must have on the axes that were not given, with the chosen packages in place."""
    open_axes = {
        "driver": (host.driver or host.driver_cuda) is None,
        "gpu": host.gpus is None,
        "glibc": host.glibc is None,
    }
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
