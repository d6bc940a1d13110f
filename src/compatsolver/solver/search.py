"""Complete, deterministic, budgeted search over sets of candidates held as integers.

Propagation makes each clause with one possible literal force that literal. Every narrowed domain remembers which
decisions it rests on; a dead end names the decisions it rests on, and the search jumps back to the last of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from compatsolver.errors import SolverLimit
from compatsolver.model.component import members

Clause = tuple[tuple[int, int], ...]
"""Literals as (slot, set of candidates); at least one must hold."""

Ranking = Callable[[int, int], Iterable[int]]
"""Candidates of a slot's domain in the order to try them."""

DEFAULT_BUDGET = 200_000
_CONSISTENT = -1


class Network:
    """Clauses prepared for propagation. Sets of clauses are integers too: bit *i* is the clause at position *i*."""

    __slots__ = ("_literals", "_unmet", "clauses", "everything", "size", "units", "watch")

    def __init__(self, size: int, clauses: Sequence[Clause]) -> None:
        self.size = size
        self.clauses = tuple(clauses)
        self.everything = (1 << len(self.clauses)) - 1
        self.watch = [0] * size
        self._literals: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for position, clause in enumerate(self.clauses):
            for slot, mask in clause:
                self.watch[slot] |= 1 << position
                self._literals[slot].append((1 << position, mask))
        self.units = [clause[0] for clause in self.clauses if len(clause) == 1]
        self._unmet: dict[tuple[int, int], int] = {}

    def restricted(self, domains: Sequence[int]) -> list[int]:
        """The domains under the clauses of one literal, which nothing has to happen for."""
        narrowed = list(domains)
        for slot, mask in self.units:
            narrowed[slot] &= mask
        return narrowed

    def unmet(self, slot: int, domain: int) -> int:
        """The clauses that a slot narrowed to one candidate does not satisfy by itself."""
        unmet = self._unmet.get((slot, domain))
        if unmet is None:
            unmet = self.everything
            for position in members(self.watch[slot]):
                if any(other == slot and mask & domain for other, mask in self.clauses[position]):
                    unmet ^= 1 << position
            self._unmet[slot, domain] = unmet
        return unmet

    def failed(self, slot: int, domain: int) -> int:
        """The clauses whose literal on a slot can no longer hold: only they can force another literal."""
        if not domain & (domain - 1):
            return self.watch[slot] & self.unmet(slot, domain)
        return sum(position for position, mask in self._literals[slot] if not domain & mask)

    def propagate(self, domains: list[int], reasons: list[int], changed: Iterable[int], live: int) -> tuple[int, int]:
        """Narrow `domains` in place until nothing follows any more.

        `live` are the clauses not yet satisfied for good. Returns the ones that still are not, and `_CONSISTENT` or
        the decisions that a contradiction rests on. Slots are taken in their order: hosts first, packages last.
        """
        clauses = self.clauses
        pending = 0
        for slot in changed:
            pending |= 1 << slot
        while pending:
            lowest = pending & -pending
            pending ^= lowest
            slot = lowest.bit_length() - 1
            domain = domains[slot]
            if not domain & (domain - 1):
                live &= self.unmet(slot, domain)
            concerned = self.failed(slot, domain) & live
            while concerned:
                position = concerned & -concerned
                concerned ^= position
                open_slot = _CONSISTENT
                open_mask = blame = 0
                for other, mask in clauses[position.bit_length() - 1]:
                    domain = domains[other]
                    if not domain & mask:
                        blame |= reasons[other]
                    elif open_slot >= 0 or not domain & ~mask:
                        break
                    else:
                        open_slot, open_mask = other, mask
                else:
                    if open_slot < 0:
                        return live, blame
                    domains[open_slot] &= open_mask
                    reasons[open_slot] |= blame
                    pending |= 1 << open_slot
        return live, _CONSISTENT


def by_position(_slot: int, domain: int) -> Iterable[int]:
    """Rank candidates as the catalogue lists them."""
    return members(domain)


def search(
    network: Network,
    domains: Sequence[int],
    *,
    first: Sequence[int] = (),
    ranking: Ranking = by_position,
    budget: int = DEFAULT_BUDGET,
    changed: Iterable[int] | None = None,
) -> list[int] | None:
    """Return one candidate position per slot, or None where no choice satisfies all clauses.

    Slots in `first` are decided in that order, then the slot with the fewest candidates left. `changed` names the
    slots that were narrowed since the domains were last propagated; by default all. Raises SolverLimit after `budget`
    decisions.
    """
    start = network.restricted(domains) if changed is None else list(domains)
    if not all(start):
        return None
    reasons = [0] * network.size
    everywhere = range(network.size)
    live, conflict = network.propagate(start, reasons, everywhere if changed is None else changed, network.everything)
    if conflict != _CONSISTENT:
        return None
    run = _Run(network, tuple(first), ranking, budget)
    solution, _ = run.descend(start, reasons, live, 0)
    return None if solution is None else [mask.bit_length() - 1 for mask in solution]


def propagated(network: Network, domains: Sequence[int]) -> list[int] | None:
    """Return the domains after unit propagation, or None where it meets a contradiction."""
    narrowed = network.restricted(domains)
    if not all(narrowed):
        return None
    _, conflict = network.propagate(narrowed, [0] * network.size, range(network.size), network.everything)
    return narrowed if conflict == _CONSISTENT else None


class _Run:
    """One search and the count of its decisions."""

    __slots__ = ("budget", "first", "network", "nodes", "ranking")

    def __init__(self, network: Network, first: tuple[int, ...], ranking: Ranking, budget: int) -> None:
        self.network = network
        self.first = first
        self.ranking = ranking
        self.budget = budget
        self.nodes = 0

    def descend(self, domains: list[int], reasons: list[int], live: int, level: int) -> tuple[list[int] | None, int]:
        """Decide the remaining slots; return the decided domains, or None and the decisions to blame."""
        slot = self.choose(domains)
        if slot < 0:
            return domains, 0
        decision = 1 << level
        blame = reasons[slot]
        for candidate in self.ranking(slot, domains[slot]):
            self.nodes += 1
            if self.nodes > self.budget:
                raise SolverLimit(self.budget)
            trial, rests_on = domains.copy(), reasons.copy()
            trial[slot] = 1 << candidate
            rests_on[slot] |= decision
            left, conflict = self.network.propagate(trial, rests_on, (slot,), live)
            if conflict == _CONSISTENT:
                solution, conflict = self.descend(trial, rests_on, left, level + 1)
                if solution is not None:
                    return solution, 0
            if not conflict & decision:
                return None, conflict
            blame |= conflict & ~decision
        return None, blame

    def choose(self, domains: list[int]) -> int:
        """The next slot to decide, or -1 where every domain holds one candidate."""
        for slot in self.first:
            if domains[slot] & (domains[slot] - 1):
                return slot
        best, fewest = -1, 0
        for slot, domain in enumerate(domains):
            if domain & (domain - 1):
                count = domain.bit_count()
                if best < 0 or count < fewest:
                    best, fewest = slot, count
        return best
