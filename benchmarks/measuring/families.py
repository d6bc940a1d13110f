"""Universes that are small to write down and hard to search, each with its answer known."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from measuring.implications import Candidate, Universe, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261201
STAGGER = 4
"""How far apart the newest releases of packages and the releases that go together may be."""


class Family(NamedTuple):
    """A universe, what it is called, and whether it has a solution."""

    name: str
    universe: Universe
    solvable: bool


def families() -> Iterator[Family]:
    """All of them, small before large."""
    for versions in (60, 100, 200):
        yield Family(f"exact pins, V={versions}", exact_pins(versions), solvable=True)
    for length, versions in ((50, 10), (200, 30)):
        yield Family(f"chain, D={length} k={versions}", chain(length, versions), solvable=True)
    for free in (10, 40):
        yield Family(f"late conflict, {free} free", late_conflict(free, 10), solvable=False)


def exact_pins(versions: int) -> Universe:
    """Two packages that each pin one below, and two that pin both: only for the oldest release do all four agree.

    Candidate 0 is the newest. What a plugin does that is built for exact releases of two libraries.
    """
    first, second, below_first, below_second, plugin, other = range(6)
    requires: dict[Candidate, tuple[Wanted, ...]] = {}
    for position in range(versions):
        opposite = versions - 1 - position
        pinned, lagging = 1 << position, 1 << max(opposite - 1, 0)
        requires[Candidate(first, position)] = (Wanted(below_first, pinned),)
        requires[Candidate(second, position)] = (Wanted(below_second, pinned),)
        requires[Candidate(plugin, position)] = (Wanted(below_first, pinned), Wanted(below_second, 1 << opposite))
        requires[Candidate(other, position)] = (Wanted(below_first, pinned), Wanted(below_second, lagging))
    return Universe(((1 << versions) - 1,) * 6, requires)


def chain(length: int, versions: int) -> Universe:
    """Each package requires the next in its own version or a newer one, and of the last only the oldest is there."""
    everything = (1 << versions) - 1
    requires = {
        Candidate(slot, position): (Wanted(slot + 1, (1 << (position + 1)) - 1),)
        for slot in range(length - 1)
        for position in range(versions)
    }
    return Universe((*[everything] * (length - 1), 1 << (versions - 1)), requires)


def late_conflict(free: int, versions: int) -> Universe:
    """Packages that anything goes with, then three that need two versions to be all different, which cannot be."""
    requires: dict[Candidate, tuple[Wanted, ...]] = {}
    trio = range(free, free + 3)
    for slot in trio:
        for position in range(2):
            other = 1 << (1 - position)
            requires[Candidate(slot, position)] = tuple(Wanted(later, other) for later in trio if later != slot)
    return Universe((*[(1 << versions) - 1] * free, *[0b11] * 3), requires)


def release_trains(packages: int, versions: int) -> Universe:
    """Packages whose releases go with those of about the same age of three others, and whose newest are not in step.

    Releases of the same age always go together, so there is a solution, though hardly ever with the newest of each.
    """
    random = Random(SEED)
    everything = (1 << versions) - 1
    domains = [everything & ~((1 << random.randrange(STAGGER)) - 1) for _ in range(packages)]
    requires: dict[Candidate, tuple[Wanted, ...]] = {}
    for slot in range(packages):
        for position in range(versions):
            others = [slot + step for step in random.sample(range(1, 9), 3) if slot + step < packages]
            requires[Candidate(slot, position)] = tuple(
                Wanted(other, _around(position, random) & everything) for other in others
            )
    return Universe(tuple(domains), requires)


def deep_conflict(depth: int, versions: int) -> Universe:
    """The chain without the oldest release of its first package: a contradiction `depth` requirements long."""
    domains, requires = chain(depth + 1, versions)
    return Universe((domains[0] >> 1, *domains[1:]), requires)


def _around(position: int, random: Random) -> int:
    lowest = max(0, position - random.randrange(STAGGER))
    return (1 << (position + random.randrange(STAGGER) + 1)) - (1 << lowest)
