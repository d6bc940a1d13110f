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
    """Clauses prepared for propagation: by slot, and by the single candidate a slot has been narrowed to."""

    __slots__ = ("_unmet", "clauses", "size", "watch")

    def __init__(self, size: int, clauses: Sequence[Clause]) -> None:
        self.size = size
        self.clauses = tuple(clauses)
        self.watch: list[list[Clause]] = [[] for _ in range(size)]
        for clause in self.clauses:
            for slot, _ in clause:
                self.watch[slot].append(clause)
        self._unmet: dict[tuple[int, int], list[Clause]] = {}

    def unmet(self, slot: int, domain: int) -> list[Clause]:
        """The clauses on a slot that a domain of one candidate leaves to their other literals."""
        clauses = self._unmet.get((slot, domain))
        if clauses is None:
            clauses = [clause for clause in self.watch[slot] if not any(s == slot and m & domain for s, m in clause)]
            self._unmet[slot, domain] = clauses
        return clauses

    def propagate(self, domains: list[int], reasons: list[int], changed: Iterable[int]) -> int:
        """Narrow `domains` in place; return `_CONSISTENT`, or the decisions that a contradiction rests on."""
        pending = list(changed)
        while pending:
            slot = pending.pop()
            domain = domains[slot]
            for clause in self.watch[slot] if domain & (domain - 1) else self.unmet(slot, domain):
                open_slot = _CONSISTENT
                open_mask = blame = 0
                for other, mask in clause:
                    domain = domains[other]
                    if not domain & mask:
                        blame |= reasons[other]
                    elif open_slot >= 0 or not domain & ~mask:
                        break
                    else:
                        open_slot, open_mask = other, mask
                else:
                    if open_slot < 0:
                        return blame
                    domains[open_slot] &= open_mask
                    reasons[open_slot] |= blame
                    pending.append(open_slot)
        return _CONSISTENT


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
    start = list(domains)
    if not all(start):
        return None
    reasons = [0] * network.size
    if network.propagate(start, reasons, range(network.size) if changed is None else changed) != _CONSISTENT:
        return None
    run = _Run(network, tuple(first), ranking, budget)
    solution, _ = run.descend(start, reasons, 0)
    return None if solution is None else [mask.bit_length() - 1 for mask in solution]


def propagated(network: Network, domains: Sequence[int]) -> list[int] | None:
    """Return the domains after unit propagation, or None where it meets a contradiction."""
    narrowed = list(domains)
    consistent = network.propagate(narrowed, [0] * network.size, range(network.size)) == _CONSISTENT
    return narrowed if consistent else None


class _Run:
    """One search and the count of its decisions."""

    __slots__ = ("budget", "first", "network", "nodes", "ranking")

    def __init__(self, network: Network, first: tuple[int, ...], ranking: Ranking, budget: int) -> None:
        self.network = network
        self.first = first
        self.ranking = ranking
        self.budget = budget
        self.nodes = 0

    def descend(self, domains: list[int], reasons: list[int], level: int) -> tuple[list[int] | None, int]:
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
            conflict = self.network.propagate(trial, rests_on, (slot,))
            if conflict == _CONSISTENT:
                solution, conflict = self.descend(trial, rests_on, level + 1)
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
