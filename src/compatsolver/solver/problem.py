"""A finite problem: the slots to fill, the rules between them, and what is assumed of this request and host.

A slot is a component in use. Most components have one slot of the same name; a machine with two GPUs has the slots
`gpu` and `gpu#2`, and every rule on GPUs is read for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from compatsolver.model.component import Component
from compatsolver.model.rule import Rule
from compatsolver.solver.search import Clause


@dataclass(frozen=True)
class Assumption:
    """A restriction that the request or the host makes: `slot` takes one of `allowed`.

    `origin` tells which axis it came from; `implied` is True where nobody typed it (a default of this interpreter).
    """

    slot: str
    allowed: int
    text: str
    origin: str
    implied: bool = False


@dataclass(frozen=True)
class BoundRule:
    """A rule read on particular slots, one per literal."""

    rule: Rule
    slots: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """Slots (name → component), bound rules and assumptions; the clauses the search works on are made from them."""

    components: dict[str, Component]
    bound: tuple[BoundRule, ...] = field(repr=False)
    assumptions: tuple[Assumption, ...]

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Slot names in the order of the search's numbering."""
        return tuple(self.components)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Slot name → number."""
        return {name: number for number, name in enumerate(self.slots)}

    def clauses(self, bound: Iterable[BoundRule]) -> list[Clause]:
        """The given rules in the search's form."""
        numbers = self.numbers
        return [
            tuple((numbers[slot], literal.allowed) for literal, slot in zip(entry.rule.literals, entry.slots, strict=True))
            for entry in bound
        ]

    @cached_property
    def certain(self) -> list[Clause]:
        """Clauses of the rules that are known to hold."""
        return self.clauses(entry for entry in self.bound if entry.rule.unknown is None)

    @cached_property
    def guards(self) -> list[Clause]:
        """Clauses that keep out what is not known to hold."""
        return self.clauses(entry for entry in self.bound if entry.rule.unknown is not None)

    def domains(self, assumptions: Sequence[Assumption] | None = None) -> list[int]:
        """Domains under the given assumptions (all of the problem's by default); a contradiction shows as 0."""
        domains = [component.everything for component in self.components.values()]
        for assumption in self.assumptions if assumptions is None else assumptions:
            domains[self.numbers[assumption.slot]] &= assumption.allowed
        return domains

    def assignment(self, solution: Sequence[int]) -> dict[str, int]:
        """A search result as slot name → candidate position."""
        return dict(zip(self.slots, solution, strict=True))


def bind(rules: Iterable[Rule], components: dict[str, Component]) -> tuple[BoundRule, ...]:
    """Read the catalogue's rules on the slots in use; a rule about a component that is not in use says nothing."""
    slots_of: dict[str, list[str]] = {}
    for slot, component in components.items():
        slots_of.setdefault(component.name, []).append(slot)
    bound = []
    for rule in rules:
        choices: list[tuple[str, ...]] = [()]
        for literal in rule.literals:
            choices = [chosen + (slot,) for chosen in choices for slot in slots_of.get(literal.component, ())]
        bound.extend(BoundRule(rule, chosen) for chosen in choices)
    return tuple(bound)
