"""Universes of the form that resolvelib takes, and resolvelib on them: a candidate requires sets of candidates."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from resolvelib import AbstractProvider, BaseReporter, ResolutionImpossible, Resolver

from compatsolver.model.component import members
from compatsolver.solver.search import by_position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from compatsolver.solver.network import Clause
    from compatsolver.solver.problem import Problem
    from compatsolver.solver.search import Ranking


class Wanted(NamedTuple):
    """A slot, and the set of its candidates that will do."""

    slot: int
    mask: int


class Candidate(NamedTuple):
    """One candidate of a slot."""

    slot: int
    position: int


class Universe(NamedTuple):
    """What each slot may take, and what each candidate requires of others."""

    domains: tuple[int, ...]
    requires: Mapping[Candidate, Sequence[Wanted]]

    def clauses(self) -> list[Clause]:
        """The same as clauses: not that candidate, or one of those it requires."""
        return [
            ((candidate.slot, self.domains[candidate.slot] & ~(1 << candidate.position)), (wanted.slot, wanted.mask))
            for candidate, entries in self.requires.items()
            for wanted in entries
        ]


def universe_of(problem: Problem) -> Universe:
    """A stated problem in this form; raises ValueError where a rule leaves three slots open."""
    layout = problem.layout
    domains = problem.domains(start=layout.guarded_domains)
    order = [layout.numbers[name] for name in layout.packages]
    order += [slot for slot in range(len(domains)) if slot not in order]
    requires: dict[Candidate, list[Wanted]] = {}
    for clause in layout.guarded.clauses:
        if any(not domains[slot] & ~mask for slot, mask in clause):
            continue
        left = sorted((entry for entry in clause if domains[entry[0]] & entry[1]), key=lambda e: order.index(e[0]))
        if len(left) > 2:
            raise ValueError("a rule between three open slots is no implication")
        if len(left) < 2:
            for slot, mask in left or clause[:1]:
                domains[slot] &= mask
            continue
        (slot, mask), wanted = left
        for position in members(domains[slot] & ~mask):
            requires.setdefault(Candidate(slot, position), []).append(Wanted(*wanted))
    return Universe(tuple(domains), requires)


class Provider(AbstractProvider[Wanted, Candidate, int]):
    """The smallest provider over such sets; raises TimeoutError once the deadline is over."""

    def __init__(self, universe: Universe, first: Sequence[int], ranking: Ranking, seconds: float) -> None:
        self.universe = universe
        self.preference = {slot: place for place, slot in enumerate(first)}
        self.ranking = ranking
        self.deadline = perf_counter() + seconds

    def identify(self, requirement_or_candidate: Wanted | Candidate) -> int:
        return requirement_or_candidate.slot

    def get_preference(self, identifier: int, *args: Any, **rest: Any) -> int:
        return self.preference.get(identifier, len(self.preference) + identifier)

    def find_matches(
        self,
        identifier: int,
        requirements: Mapping[int, Iterator[Wanted]],
        incompatibilities: Mapping[int, Iterator[Candidate]],
    ) -> Sequence[Candidate]:
        if perf_counter() > self.deadline:
            raise TimeoutError
        possible = self.universe.domains[identifier]
        for requirement in requirements[identifier]:
            possible &= requirement.mask
        for candidate in incompatibilities[identifier]:
            possible &= ~(1 << candidate.position)
        return [Candidate(identifier, position) for position in self.ranking(identifier, possible)]

    def is_satisfied_by(self, requirement: Wanted, candidate: Candidate) -> bool:
        return bool(requirement.mask >> candidate.position & 1)

    def get_dependencies(self, candidate: Candidate) -> Iterable[Wanted]:
        return self.universe.requires.get(candidate, ())


def resolvelib_pins(
    universe: Universe, *, first: Sequence[int] = (), ranking: Ranking = by_position, seconds: float = 4.0
) -> list[int] | None:
    """The candidates that resolvelib chooses, or None where it finds none; raises TimeoutError after `seconds`."""
    resolver: Resolver[Wanted, Candidate, int] = Resolver(Provider(universe, first, ranking, seconds), BaseReporter())
    wanted = [Wanted(slot, domain) for slot, domain in enumerate(universe.domains)]
    try:
        mapping = resolver.resolve(wanted, max_rounds=10_000_000).mapping
    except ResolutionImpossible:
        return None
    return [mapping[slot].position for slot in range(len(universe.domains))]
