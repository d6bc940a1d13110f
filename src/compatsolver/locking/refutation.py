"""Is there really no closure? The same question put to our own complete search, on what is known for certain.

Every release that the indexes offer of the packages involved is a candidate, and "may stay out" another. What a release
requires is a clause; a release whose requirements were not looked at forbids nothing. So what this search refutes is
impossible, whatever else the indexes hold, and what it does not refute stays undecided.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.errors import IndexUnavailable, SolverLimit
from compatsolver.solver.network import Clause, Network
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.locking.releases import Release
    from compatsolver.locking.shelf import Shelf
    from compatsolver.locking.wanted import Wanted

MOST_LOOKED_AT = 40
"""Releases of one package whose metadata is read for a proof."""
_BUDGET = 20_000


class Fact(NamedTuple):
    """A clause with what it says: `wanted` by a release, by the request (`release` None), or by the catalogue."""

    clause: Clause
    wanted: Wanted
    release: Release | None


class Universe:
    """Some packages, by name, each with the releases it may have; the last candidate of each is its absence."""

    def __init__(self, shelf: Shelf, names: Sequence[str]) -> None:
        self._shelf = shelf
        self._numbers = {name: number for number, name in enumerate(names)}
        self._stack = shelf.stack.relaxed()
        self._releases = [shelf.everything(name, self._stack) for name in names]

    def refuted(self, roots: Sequence[Wanted]) -> tuple[Fact, ...] | None:
        """A minimal set of facts that no choice satisfies; None where there is a choice, or the budget is spent."""
        facts = [*self._asked(roots), *self._required()]
        try:
            return tuple(self._shrunk(facts)) if self._fails(facts) else None
        except SolverLimit:
            return None

    def _asked(self, roots: Sequence[Wanted]) -> Iterator[Fact]:
        for wanted in roots:
            if wanted.name in self._numbers:
                yield Fact(((self._numbers[wanted.name], self._accepted(wanted)),), wanted, None)

    def _required(self) -> Iterator[Fact]:
        for slot, releases in enumerate(self._releases):
            everything = (2 << len(releases)) - 1
            for place, release in enumerate(releases):
                condition = (slot, everything & ~(1 << place))
                for wanted in self._wanted_by(release) if self._is_looked_at(release, place) else ():
                    yield from self._clauses(condition, wanted, release)

    @staticmethod
    def _is_looked_at(release: Release, place: int) -> bool:
        return release.position is not None or place < MOST_LOOKED_AT

    def _clauses(self, condition: tuple[int, int], wanted: Wanted, release: Release) -> Iterator[Fact]:
        """That a release takes what it wants, and where it wants an extra, what that wants of each release."""
        other = self._numbers.get(wanted.name)
        if other is None:
            return
        absent = 1 << len(self._releases[other])
        allowed = self._accepted(wanted)
        by_catalogue = wanted.allowed is not None
        yield Fact((condition, (other, allowed | (absent if by_catalogue else 0))), wanted, release)
        if not wanted.extra:
            return
        for place, provider in enumerate(self._releases[other][:MOST_LOOKED_AT]):
            for further in self._wanted_by(provider, wanted.extra) if allowed >> place & 1 else ():
                third = self._numbers.get(further.name)
                if third is not None:
                    elsewhere = (other, (2 * absent - 1) & ~(1 << place))
                    yield Fact((condition, elsewhere, (third, self._accepted(further))), further, provider)

    def _accepted(self, wanted: Wanted) -> int:
        """What is wanted of a package, whichever index and build serve it."""
        anywhere = wanted._replace(source=None)
        releases = self._releases[self._numbers[wanted.name]]
        return sum(1 << place for place, release in enumerate(releases) if anywhere.accepts(release))

    def _wanted_by(self, release: Release, extra: str = "") -> list[Wanted]:
        found: list[Wanted] = []
        with suppress(IndexUnavailable, ValueError):
            found += self._shelf.required(release, extra)
        if release.position is not None and not extra:
            found += self._stack.demands(release.name, release.position) or ()
        return found

    def _fails(self, facts: Sequence[Fact]) -> bool:
        network = Network(len(self._releases), [fact.clause for fact in facts])
        domains = [(2 << len(releases)) - 1 for releases in self._releases]
        return search(network, domains, budget=_BUDGET) is None

    def _shrunk(self, facts: list[Fact]) -> list[Fact]:
        """Facts none of which can be spared; ever smaller runs of them are left out on trial."""
        size = max(1, len(facts) // 2)
        while True:
            begin = 0
            while begin < len(facts):
                rest = facts[:begin] + facts[begin + size :]
                if self._fails(rest):
                    facts = rest
                else:
                    begin += size
            if size == 1:
                return facts
            size //= 2
