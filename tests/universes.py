"""Small random problems and their answers by trying everything, to hold the engine against.

A universe is a list of domains and a list of clauses, in the form the search takes them: at most five slots of at most
three candidates, clauses of one to three literals. *Acyclic* universes have clauses along the branches of a tree only.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from compatsolver.model.component import Candidate, Component, Family, members
from compatsolver.model.rule import Kind, Literal, Rule, Unknown
from compatsolver.solver.network import Clause, Network
from compatsolver.solver.problem import Assumption, Problem, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

MOST_SLOTS, MOST_CANDIDATES, MOST_CLAUSES, MOST_LITERALS = 5, 3, 14, 3
ORIGINS = ("gpu", "driver", "platform", "python", "glibc", "cuda", "requirement")
NOT_KNOWN = Unknown(fact="a fact", why="nobody read it", how="read it")


@dataclass(frozen=True)
class Universe:
    """Domains as sets of candidates, one per slot, and clauses over them."""

    domains: tuple[int, ...]
    clauses: tuple[Clause, ...]

    @property
    def network(self) -> Network:
        return Network(len(self.domains), self.clauses)


def satisfies(universe: Universe, choice: Sequence[int]) -> bool:
    """Whether one candidate per slot lies in the domains and meets every clause."""
    inside = all(domain >> place & 1 for domain, place in zip(universe.domains, choice, strict=True))
    return inside and all(any(mask >> choice[slot] & 1 for slot, mask in clause) for clause in universe.clauses)


def solutions(universe: Universe) -> Iterator[tuple[int, ...]]:
    """Every choice that satisfies a universe, in the order of the candidates."""
    return (choice for choice in product(*map(members, universe.domains)) if satisfies(universe, choice))


def brute_force(universe: Universe) -> tuple[int, ...] | None:
    """The first choice that satisfies a universe, found by trying them all."""
    return next(solutions(universe), None)


def random_universe(random: Random) -> Universe:
    """A universe of one of three kinds: of any clauses, with or without cycles, or of forbidden combinations."""
    kind = random.choice(("cyclic", "acyclic", "forbidding", "forbidding"))
    if kind == "forbidding":
        return _forbidding(random)
    sizes = [random.randint(1, MOST_CANDIDATES) for _ in range(random.randint(2, MOST_SLOTS))]
    parents = [random.randrange(slot) if slot else 0 for slot in range(len(sizes))]
    clauses = []
    for _ in range(random.randint(1, MOST_CLAUSES)):
        slots = _branch(random, parents) if kind == "acyclic" else list(range(len(sizes)))
        count = min(len(slots), random.choice((1, 2, 2, 2, 3, 3)))
        chosen = sorted(random.sample(slots, count))
        clauses.append(tuple((slot, random.randrange(1 << sizes[slot])) for slot in chosen))
    return Universe(tuple((1 << size) - 1 for size in sizes), tuple(clauses))


def _forbidding(random: Random) -> Universe:
    """Many clauses that each forbid one combination of candidates: dead ends lie deep, few decisions are to blame."""
    sizes = [random.choice((2, 3, 3)) for _ in range(random.randint(3, MOST_SLOTS))]
    clauses = []
    for _ in range(random.randint(8, 40)):
        chosen = sorted(random.sample(range(len(sizes)), random.choice((2, 3, 3))))
        clauses.append(tuple((slot, (1 << sizes[slot]) - 1 & ~(1 << random.randrange(sizes[slot]))) for slot in chosen))
    return Universe(tuple((1 << size) - 1 for size in sizes), tuple(clauses))


def _branch(random: Random, parents: Sequence[int]) -> list[int]:
    """A slot and its next ancestors in the tree."""
    slot = random.randrange(len(parents))
    return sorted({slot, parents[slot], parents[parents[slot]]})


@st.composite
def universes(draw: st.DrawFn, *, most_clauses: int = MOST_CLAUSES) -> Universe:
    """A universe, drawn so that hypothesis can shrink it: few slots, few clauses, small sets first."""
    sizes = draw(st.lists(st.integers(1, MOST_CANDIDATES), min_size=1, max_size=MOST_SLOTS))
    slots = st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=MOST_LITERALS, unique=True)
    clauses = [
        tuple((slot, draw(st.integers(0, (1 << sizes[slot]) - 1))) for slot in chosen)
        for chosen in draw(st.lists(slots, max_size=most_clauses))
    ]
    return Universe(tuple((1 << size) - 1 for size in sizes), tuple(clauses))


def problem_of(
    universe: Universe, assumed: Sequence[tuple[int, int]] = (), guards: frozenset[int] = frozenset()
) -> Problem:
    """The universe as a problem of components and rules; `guards` are the positions of clauses that nobody knows."""
    names = [f"slot{number}" for number in range(len(universe.domains))]
    components = {name: _component(name, domain) for name, domain in zip(names, universe.domains, strict=True)}
    kinds = list(Kind)
    rules = [
        Rule(
            id=f"clause/{number}",
            kind=kinds[number % len(kinds)],
            literals=tuple(Literal(names[slot], mask) for slot, mask in clause),
            evidence="documented",
            field=f"field{number % 2}" if number in guards else None,
            unknown=NOT_KNOWN if number in guards else None,
        )
        for number, clause in enumerate(universe.clauses)
    ]
    assumptions = [
        Assumption(names[slot], mask, f"assumption {number}", ORIGINS[number % len(ORIGINS)], implied=number % 3 == 2)
        for number, (slot, mask) in enumerate(assumed)
    ]
    return Problem(lay_out(rules, components), tuple(assumptions))


def _component(name: str, domain: int) -> Component:
    candidates = tuple(Candidate(str(place)) for place in members(domain))
    return Component(name, name, "package", Family.PEP440, candidates)


def restricted(universe: Universe, assumed: Sequence[tuple[int, int]]) -> Universe:
    """The universe with its domains cut down to what is assumed."""
    domains = list(universe.domains)
    for slot, mask in assumed:
        domains[slot] &= mask
    return Universe(tuple(domains), universe.clauses)


@st.composite
def assumed_universes(draw: st.DrawFn) -> tuple[Universe, tuple[tuple[int, int], ...]]:
    """A universe and a few restrictions on its slots."""
    universe = draw(universes())
    slots = draw(st.lists(st.integers(0, len(universe.domains) - 1), max_size=6))
    return universe, tuple((slot, draw(st.integers(0, universe.domains[slot]))) for slot in slots)
