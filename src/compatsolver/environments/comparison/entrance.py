"""The body of the verb `compare`: read, compare, judge collectives, look for the smallest change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.environments.comparison.builds import NCCL, TORCH
from compatsolver.environments.comparison.changing import changes_of, smallest_change
from compatsolver.environments.comparison.collective import collective_of
from compatsolver.environments.comparison.differences import Rules, differences
from compatsolver.environments.comparison.machines import machines_of
from compatsolver.environments.comparison.traits import BACKEND, TOLD_BY_LOCKS, TOLD_BY_MACHINES, traits_of
from compatsolver.explanation.diagnosis.findings import diagnose
from compatsolver.explanation.ranges import listing
from compatsolver.model.comparison import (
    ALIKE,
    DIFFERENT,
    MACHINE,
    MATTERS,
    UNDETERMINED,
    Compared,
    Comparison,
)
from compatsolver.model.component import NONE
from compatsolver.model.diagnosis import ERROR
from compatsolver.model.resolution import Missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.model.comparison import Difference
    from compatsolver.model.environment import Environment

PROBE = "compatsolver probe --format json"


def compare_given(catalog: Catalog, given: Sequence[str | Path | Environment]) -> Comparison:
    """Compare documents, pastes, environments and locks, in whatever order they come; raises InputError."""
    machines = machines_of(catalog, given)
    rules = Rules(catalog)
    compared = tuple(_compared(catalog, machines))
    found = differences(catalog, rules, machines)
    missing = tuple(_missing(rules, compared))
    is_different = any(entry.weight == MATTERS for entry in found)
    plan = smallest_change(catalog, rules, machines) if is_different else None
    nodes = [machine for machine in compared if machine.kind == MACHINE]
    return Comparison(
        verdict=DIFFERENT if is_different else UNDETERMINED if missing else ALIKE,
        catalog=catalog.identity(),
        machines=compared,
        differences=found,
        changes=tuple(changes_of(catalog, plan)) if plan else (),
        lasting=plan.lasting if plan else (),
        collective=collective_of(rules, nodes, _between(machines, catalog, rules)) if len(nodes) > 1 else None,
        missing=missing,
    )


def _between(machines: Sequence[Machine], catalog: Catalog, rules: Rules) -> Sequence[Difference]:
    """What differs between machines; what a lock says has no part in their collectives."""
    return differences(catalog, rules, [machine for machine in machines if not machine.is_lock])


def _compared(catalog: Catalog, machines: Sequence[Machine]) -> Iterator[Compared]:
    """Each input with its own faults; nodes that tell the same are diagnosed once."""
    diagnosed: dict[tuple[object, ...], tuple[str, ...]] = {}
    for machine in machines:
        reading = machine.stack.reading
        key = (reading.observations, reading.text, *(fault.summary for fault in reading.findings))
        if key not in diagnosed and not machine.is_lock:
            found = diagnose(catalog, reading).findings
            diagnosed[key] = tuple(finding.summary for finding in found if finding.severity == ERROR)
        traits = traits_of(catalog, machine)
        yield Compared(machine.name, machine.kind, traits, diagnosed.get(key, ()), reading.not_understood)


def _missing(rules: Rules, machines: Sequence[Compared]) -> Iterator[Missing]:
    """What a machine has to tell and does not."""
    for machine in machines:
        known = set(machine.traits) | ({NCCL} if machine.traits.get(BACKEND) == NONE else set())
        wanted = TOLD_BY_MACHINES if machine.kind == MACHINE else TOLD_BY_LOCKS
        untold = [rules.rule(trait).title for trait in wanted if trait not in known]
        if untold and machine.traits.get(TORCH) != NONE:
            fact = f"{listing(untold)} of {machine.name}"
            yield Missing(fact=fact, why="without it nobody can say that the machines are alike", how=PROBE)
