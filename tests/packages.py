"""Universes of packages: names, versions, and dependencies on sets of versions, as resolvelib takes them.

Kept as YAML under tests/cases/engine; random ones are drawn from a seeded generator. A package that nobody requires is
not part of an answer, which a clause universe says by a candidate of its own: "absent", ranked last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from compatsolver.solver.search import search
from universes import Universe

if TYPE_CHECKING:
    from random import Random

    from compatsolver.solver.network import Clause

Wanted = Mapping[str, frozenset[int]]
"""Package → the versions that will do."""


@dataclass(frozen=True)
class Packages:
    """What each version of each package requires, newest version first, and what is asked for."""

    releases: Mapping[str, Mapping[int, Wanted]]
    root: Wanted


def read_packages(document: Mapping[str, Any]) -> Packages:
    """A case file: `packages` maps names to versions to dependencies, `request` names what is asked for."""
    releases = {
        name: {int(version): _wanted(dependencies or {}) for version, dependencies in versions.items()}
        for name, versions in document["packages"].items()
    }
    return Packages(releases, _wanted(document["request"]))


def _wanted(dependencies: Mapping[str, list[int]]) -> Wanted:
    return {name: frozenset(versions) for name, versions in dependencies.items()}


def random_packages(random: Random) -> Packages:
    """Up to five packages of up to three versions, with dependencies in all directions or downwards only."""
    names = [f"p{number}" for number in range(random.randint(2, 5))]
    cyclic = random.random() < 0.5
    releases = {}
    for number, name in enumerate(names):
        others = [other for other in names if other != name] if cyclic else names[number + 1 :]
        versions = range(random.randint(1, 3), 0, -1)
        releases[name] = {version: _random_wanted(random, others) for version in versions}
    return Packages(releases, _random_wanted(random, names) or {names[0]: frozenset((1, 2, 3))})


def _random_wanted(random: Random, names: list[str]) -> Wanted:
    chosen = random.sample(names, min(len(names), random.choice((0, 1, 1, 2))))
    return {name: frozenset(random.sample((1, 2, 3), random.randint(1, 3))) for name in chosen}


def is_answer(packages: Packages, pins: Mapping[str, int]) -> bool:
    """Whether pins satisfy the request and every dependency of what is pinned."""
    requirements = [packages.root, *(packages.releases[name][version] for name, version in pins.items())]
    return all(pins.get(name) in versions for wanted in requirements for name, versions in wanted.items())


def is_solvable(packages: Packages) -> bool:
    """Whether any choice of versions, absent ones included, is an answer; found by trying them all."""
    choices = product(*([*versions, None] for versions in packages.releases.values()))
    pins = ({n: v for n, v in zip(packages.releases, choice, strict=True) if v is not None} for choice in choices)
    return any(is_answer(packages, chosen) for chosen in pins)


def universe_of(packages: Packages) -> Universe:
    """The same question as clauses: a slot per package, its versions newest first, then "absent"."""
    slots = {name: number for number, name in enumerate(packages.releases)}
    domains = tuple((1 << len(versions) + 1) - 1 for versions in packages.releases.values())
    clauses: list[Clause] = []
    clauses += [((slots[name], _allowed(packages, name, versions)),) for name, versions in packages.root.items()]
    for name, versions in packages.releases.items():
        for place, wanted in enumerate(versions.values()):
            other = domains[slots[name]] & ~(1 << place)
            needed = [(slots[required], _allowed(packages, required, allowed)) for required, allowed in wanted.items()]
            clauses += [((slots[name], other), literal) for literal in needed]
    return Universe(domains, tuple(clauses))


def _allowed(packages: Packages, name: str, versions: frozenset[int]) -> int:
    return sum(1 << place for place, version in enumerate(packages.releases[name]) if version in versions)


def solve_packages(packages: Packages) -> dict[str, int] | None:
    """Our answer: pins, or None where there is none."""
    universe = universe_of(packages)
    found = search(universe.network, universe.domains)
    if found is None:
        return None
    chosen = zip(packages.releases.items(), found, strict=True)
    return {name: list(versions)[place] for (name, versions), place in chosen if place < len(versions)}
