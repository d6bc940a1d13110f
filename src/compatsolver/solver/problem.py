"""A finite problem: the slots to fill, the rules between them, and what is assumed of this request and host.

A slot is a component in use. Most components have one slot of the same name; a machine with two GPUs has the slots
`gpu` and `gpu#2`, and every rule on GPUs is read for each of them. Slots and rules make a `Layout`, which depends on
the catalogue alone; a request adds its assumptions.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from compatsolver.model.component import NONE, Component
from compatsolver.model.rule import Rule
from compatsolver.solver.network import Clause, Network
from compatsolver.solver.search import propagated


class Assumption(NamedTuple):
    """A restriction that the request or the host makes: `slot` takes one of `allowed`.

    `origin` tells which axis it came from; `implied` is True where nobody typed it (a default of this interpreter).
    """

    slot: str
    allowed: int
    text: str
    origin: str
    implied: bool = False


class BoundRule(NamedTuple):
    """A rule read on particular slots, one per literal."""

    rule: Rule
    slots: tuple[str, ...]


class Layout:
    """Slots (name → component) and the rules read on them, prepared for the search; equal to itself alone.

    `clauses` are the rules on the slots, `origins` the positions of their rules among the `ids`, and `rules` gives
    these rules where somebody asks for more than that.
    """

    def __init__(
        self,
        components: Mapping[str, Component],
        clauses: Sequence[Clause],
        origins: Sequence[int],
        ids: Sequence[str],
        rules: Callable[[], Sequence[Rule]],
    ) -> None:
        self.components = components
        self.clauses = clauses
        self.origins = origins
        self.ids = ids
        self._rules = rules

    @cached_property
    def bound(self) -> tuple[BoundRule, ...]:
        """The rules, each with the slots that it is read on."""
        rules, slots = self._rules(), self.slots
        read = zip(self.origins, self.clauses, strict=True)
        return tuple(BoundRule(rules[origin], tuple([slots[slot] for slot, _ in clause])) for origin, clause in read)

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Slot names in the order of the search's numbering."""
        return tuple(self.components)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Slot name → number."""
        return {name: number for number, name in enumerate(self.slots)}

    def network(self, bound: Iterable[BoundRule]) -> Network:
        """Some of the rules in the search's form."""
        return Network(len(self.slots), [self._clause(entry) for entry in bound])

    def _clause(self, entry: BoundRule) -> Clause:
        pairs = zip(entry.rule.literals, entry.slots, strict=True)
        return tuple((self.numbers[slot], literal.allowed) for literal, slot in pairs)

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The slots of packages, torch first, then dependents before what they require: the order to decide them in."""
        names = [name for name, component in self.components.items() if component.kind == "package"]
        return tuple(sorted(names, key=lambda name: name != "torch"))

    @cached_property
    def absences(self) -> dict[int, int]:
        """Number of the slot of a package that may stay out of a plan → its candidate that says so."""
        absent = {}
        for name in self.packages:
            candidates = self.components[name].candidates
            if candidates and candidates[-1].version == NONE:
                absent[self.numbers[name]] = 1 << (len(candidates) - 1)
        return absent

    @cached_property
    def certain(self) -> Network:
        """The rules without which there is no plan, whatever the unknown facts turn out to be."""
        return self.network(entry for entry in self.bound if entry.rule.certain)

    @cached_property
    def unavoided(self) -> Network:
        """The rules that are known to hold and the guards, without the rules that a plan would rather not break."""
        return self.network(entry for entry in self.bound if not entry.rule.avoid)

    @cached_property
    def guarded(self) -> Network:
        """The rules that are known to hold, the guards that keep out what is not, and the rules to avoid breaking."""
        return Network(len(self.slots), self.clauses)

    @cached_property
    def relaxed(self) -> tuple[Network, ...]:
        """Ever fewer rules: first without those to avoid, then without the guards as well.

        Of either, those on one subject go first, subject by subject, then all: least harm and least doubt first.
        """
        kept = [entry for entry in self.bound if not entry.rule.avoid]
        without_avoided = (self.unavoided,) if len(kept) < len(self.bound) else ()
        avoided = self._without_one_subject(self.bound, lambda rule: rule.avoid)
        doubted = self._without_one_subject(kept, lambda rule: rule.unknown is not None)
        return (*avoided, *without_avoided, *doubted, self.certain)

    def _without_one_subject(self, bound: Sequence[BoundRule], weak: Callable[[Rule], bool]) -> Iterator[Network]:
        subjects = dict.fromkeys(entry.rule.field for entry in bound if weak(entry.rule))
        if len(subjects) > 1:
            for subject in subjects:
                yield self.network(e for e in bound if not (weak(e.rule) and e.rule.field == subject))

    @cached_property
    def certain_domains(self) -> list[int]:
        """What the known rules leave possible before anything is assumed."""
        return self._propagated(self.certain)

    @cached_property
    def guarded_domains(self) -> list[int]:
        """What all rules and the guards leave possible before anything is assumed."""
        return self._propagated(self.guarded)

    def _propagated(self, network: Network) -> list[int]:
        everything = [component.everything for component in self.components.values()]
        return propagated(network, everything) or [0] * network.size


class Problem:
    """A layout and what is assumed on it."""

    __slots__ = ("assumptions", "layout")

    def __init__(self, layout: Layout, assumptions: tuple[Assumption, ...]) -> None:
        self.layout = layout
        self.assumptions = assumptions

    def domains(self, assumptions: Sequence[Assumption] | None = None, start: Sequence[int] | None = None) -> list[int]:
        """Domains under the given assumptions (all of the problem's by default); a contradiction shows as 0."""
        layout = self.layout
        domains = [c.everything for c in layout.components.values()] if start is None else list(start)
        for assumption in self.assumptions if assumptions is None else assumptions:
            domains[layout.numbers[assumption.slot]] &= assumption.allowed
        return domains

    def assignment(self, solution: Sequence[int]) -> dict[str, int]:
        """A search result as slot name → candidate position."""
        return dict(zip(self.layout.slots, solution, strict=True))


def lay_out(rules: Iterable[Rule], components: Mapping[str, Component]) -> Layout:
    """Read rules on the slots in use; a rule about a component that is not in use says nothing."""
    every = tuple(rules)
    return lay_out_clauses([(rule.id, rule.literals) for rule in every], components, lambda: every)


def lay_out_clauses(
    clauses: Iterable[tuple[str, Iterable[tuple[str, int]]]],
    components: Mapping[str, Component],
    rules: Callable[[], Sequence[Rule]],
) -> Layout:
    """The same from ids and literals alone; `rules` gives the rules, in the same order, where one is asked for."""
    slots_of: dict[str, list[int]] = {}
    for slot, component in enumerate(components.values()):
        slots_of.setdefault(component.name, []).append(slot)
    ids: list[str] = []
    read: list[Clause] = []
    origins: list[int] = []
    for origin, (identifier, literals) in enumerate(clauses):
        ids.append(identifier)
        choices = [[(slot, allowed) for slot in slots_of.get(component, ())] for component, allowed in literals]
        for clause in product(*choices):
            read.append(clause)
            origins.append(origin)
    return Layout(components, read, origins, ids, rules)
