"""Can processes on these machines reach each other over NCCL? What differs decides, and what is broken already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.environments.comparison.builds import NCCL, TORCH
from compatsolver.environments.comparison.traits import BACKEND, CAPABILITY
from compatsolver.model.comparison import BREAKS, LITTLE, UNKNOWN, WORKS, Collective
from compatsolver.model.component import NONE
from compatsolver.model.resolution import Because

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.environments.comparison.differences import Rules
    from compatsolver.model.comparison import Compared, Difference

FAULTY = "{name} does not run its own stack: {fault}"
NO_TORCH = "{name} has no torch."
NOT_TOLD = "{name} does not tell its {what}."
NOTHING_AGAINST = "NCCL and the build of torch are the same everywhere; the network is not looked at."
READ = "read on these machines"


def collective_of(rules: Rules, machines: Sequence[Compared], found: Sequence[Difference]) -> Collective:
    """The verdict, and the facts that it rests on: what breaks collectives, else what nobody knows, else the price."""
    against = list(_against(rules, machines, found))
    if against:
        return Collective(BREAKS, tuple(dict.fromkeys(against)))
    doubts = [entry.because for entry in _with_effect(rules, found, UNKNOWN)]
    doubts += [
        Because(NOT_TOLD.format(name=machine.name, what=what), READ, ())
        for machine in machines
        for trait, what in ((NCCL, "NCCL"), (TORCH, "torch"))
        if trait not in machine.traits
    ]
    if doubts:
        return Collective(UNKNOWN, tuple(dict.fromkeys(doubts)))
    prices = [entry.because for entry in found if entry.trait == CAPABILITY]
    return Collective(WORKS, (Because(NOTHING_AGAINST, READ, ()), *prices))


def _against(rules: Rules, machines: Sequence[Compared], found: Sequence[Difference]) -> Iterator[Because]:
    yield from (entry.because for entry in _with_effect(rules, found, BREAKS))
    if any(machine.traits.get(BACKEND) == NONE for machine in machines):
        yield rules.rule(BACKEND).because
    for machine in machines:
        if machine.traits.get(TORCH) == NONE:
            yield Because(NO_TORCH.format(name=machine.name), READ, ())
        yield from (Because(FAULTY.format(name=machine.name, fault=fault), READ, ()) for fault in machine.faults)


def _with_effect(rules: Rules, found: Sequence[Difference], effect: str) -> list[Difference]:
    return [entry for entry in found if entry.weight != LITTLE and rules.rule(entry.trait).collective == effect]
