"""Clauses prepared for propagation: each clause with one possible literal forces that literal.

Every narrowed domain remembers which decisions it rests on, so that a contradiction can name them.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

Clause = tuple[tuple[int, int], ...]
"""Literals as (slot, set of candidates); at least one must hold."""

CONSISTENT = -1
"""In place of the decisions that a contradiction rests on, where there is none."""


class Failing(NamedTuple):
    """The literals on a slot that fail for one of its candidates, and what follows where the slot takes it.

    `pairs`: other slot → literals here, each with what the other is held to instead; `held` is that put together.
    `long`: literals here, each with the long clauses it is in; `unsettled` are the long clauses that stay open.
    """

    pairs: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    held: tuple[tuple[int, int], ...]
    long: tuple[tuple[int, int], ...]
    unsettled: int


class Network:
    """Clauses prepared for propagation.

    A clause of two slots holds each to its own literal where the other's fails, and is kept as that. Only *long*
    clauses, of three slots and more, are looked at one by one; a set of them is an integer as well. What fails for a
    domain fails for its best candidate, so nothing but the literals that do are looked at.
    """

    __slots__ = ("_failing", "_long_of", "_pairs", "_watch", "clauses", "everything", "long", "size", "units")

    def __init__(self, size: int, clauses: Sequence[Clause]) -> None:
        self.size = size
        self.clauses = tuple(clauses)
        self.units: list[tuple[int, int]] = []
        self.long: list[Clause] = []
        self._pairs: list[dict[int, dict[int, int]]] = [{} for _ in range(size)]
        self._long_of: list[dict[int, int]] = [{} for _ in range(size)]
        self._watch = [0] * size
        self._failing: dict[tuple[int, int], Failing] = {}
        for clause in self.clauses:
            self._add(clause)
        self.everything = (1 << len(self.long)) - 1

    def _add(self, clause: Clause) -> None:
        """Sort a clause in by the slots it leaves a choice between; literals on one slot are one literal."""
        literals: dict[int, int] = {}
        for slot, mask in clause:
            if mask:
                literals[slot] = literals.get(slot, 0) | mask
        if len(literals) < 2:
            self.units.extend(literals.items() or clause)
        elif len(literals) == 2:
            one, other = literals.items()
            for (slot, mask), (partner, wanted) in ((one, other), (other, one)):
                held = self._pairs[slot].setdefault(partner, {})
                held[mask] = held.get(mask, wanted) & wanted
        else:
            position = 1 << len(self.long)
            for slot, mask in literals.items():
                self._watch[slot] |= position
                self._long_of[slot][mask] = self._long_of[slot].get(mask, 0) | position
            self.long.append(tuple(literals.items()))

    def restricted(self, domains: Sequence[int]) -> list[int]:
        """The domains under the clauses of one slot, which nothing has to happen for."""
        narrowed = list(domains)
        for slot, mask in self.units:
            narrowed[slot] &= mask
        return narrowed

    def failing(self, slot: int, candidate: int) -> Failing:
        """What fails for one candidate, which is given as a set; kept for the next time."""
        known = self._failing.get((slot, candidate))
        if known is None:
            pairs = {}
            for other, literals in self._pairs[slot].items():
                failing = tuple((mask, wanted) for mask, wanted in literals.items() if not candidate & mask)
                if failing:
                    pairs[other] = failing
            held = [(other, reduce(and_, [wanted for _, wanted in failing])) for other, failing in pairs.items()]
            long = [(mask, clauses) for mask, clauses in self._long_of[slot].items() if not candidate & mask]
            unsettled = reduce(or_, [clauses for _, clauses in long], self.everything & ~self._watch[slot])
            known = Failing(tuple(pairs.items()), tuple(held), tuple(long), unsettled)
            self._failing[slot, candidate] = known
        return known

    def propagate(self, domains: list[int], reasons: list[int], changed: Iterable[int], live: int) -> tuple[int, int]:
        """Narrow `domains` in place until nothing follows any more.

        `live` are the long clauses not yet satisfied for good. Returns the ones that still are not, and `CONSISTENT`
        or the decisions that a contradiction rests on. Slots are taken in their order: hosts first, packages last.
        """
        pending = waiting = 0
        for slot in changed:
            pending |= 1 << slot
        while pending:
            lowest = pending & -pending
            pending ^= lowest
            slot = lowest.bit_length() - 1
            domain = domains[slot]
            failing = self.failing(slot, domain & -domain)
            if domain & (domain - 1):
                held: Iterable[tuple[int, int]] = _held(failing, domain, domains)
                waiting |= _long(failing, domain)
            else:
                held = failing.held
                live &= failing.unsettled
                waiting |= self._watch[slot]
            for other, wanted in held:
                before = domains[other]
                domains[other] = after = before & wanted
                if after != before:
                    reasons[other] |= reasons[slot]
                    if not after:
                        return live, reasons[other]
                    pending |= 1 << other
            if not pending and waiting & live:
                live, pending, conflict = self._examine(waiting & live, domains, reasons, live)
                waiting = 0
                if conflict != CONSISTENT:
                    return live, conflict
        return live, CONSISTENT

    def _examine(self, concerned: int, domains: list[int], reasons: list[int], live: int) -> tuple[int, int, int]:
        """Force what some clauses leave no choice about; returns what is live, the slots narrowed, and the conflict."""
        narrowed = 0
        while concerned:
            clause = concerned & -concerned
            concerned ^= clause
            open_slot = -1
            open_part = blame = 0
            for slot, mask in self.long[clause.bit_length() - 1]:
                domain = domains[slot]
                part = domain & mask
                if part == domain:
                    live ^= clause
                    break
                if not part:
                    blame |= reasons[slot]
                elif open_slot < 0:
                    open_slot, open_part = slot, part
                else:
                    break
            else:
                if open_slot < 0:
                    return live, narrowed, blame
                live ^= clause
                domains[open_slot] = open_part
                reasons[open_slot] |= blame
                narrowed |= 1 << open_slot
        return live, narrowed, CONSISTENT


def _held(failing: Failing, domain: int, domains: Sequence[int]) -> list[tuple[int, int]]:
    """What a domain of several candidates holds other slots to; a decided slot has told this one, or still will."""
    held = []
    for other, literals in failing.pairs:
        left = before = domains[other]
        if before & (before - 1):
            for mask, wanted in literals:
                if not domain & mask:
                    left &= wanted
            if left != before:
                held.append((other, left))
    return held


def _long(failing: Failing, domain: int) -> int:
    """The long clauses whose literal fails for a domain of several candidates."""
    clauses = 0
    for mask, members_of in failing.long:
        if not domain & mask:
            clauses |= members_of
    return clauses
