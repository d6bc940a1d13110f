"""Complete, deterministic, budgeted search over sets of candidates held as integers.

Between decisions it propagates. A dead end names the decisions it rests on, and the search jumps back to the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from compatsolver.errors import SolverLimit
from compatsolver.model.component import each
from compatsolver.solver.network import CONSISTENT

if TYPE_CHECKING:
    from compatsolver.solver.network import Network

Ranking = Callable[[int, int], Iterable[int]]
"""Candidates of a slot's domain in the order to try them."""

DEFAULT_BUDGET = 200_000


def by_position(_slot: int, domain: int) -> Iterable[int]:
    """Rank candidates as the catalogue lists them."""
    return each(domain)


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
    if conflict != CONSISTENT:
        return None
    run = _Run(network, tuple(first), ranking, budget)
    solution, _ = run.descend(start, reasons, live, 0)
    return None if solution is None else [mask.bit_length() - 1 for mask in solution]


def refutation(
    network: Network, domains: list[int], reasons: list[int], *, changed: Iterable[int], level: int
) -> int | None:
    """What a contradiction rests on, as bits of the reasons it was given; None where there is a solution.

    `reasons` has the bits of what narrowed each slot, all of them below the bit of `level`. Both lists are used up.
    Raises SolverLimit.
    """
    if not all(domains):
        return reasons[domains.index(0)]
    live, conflict = network.propagate(domains, reasons, changed, network.everything)
    if conflict != CONSISTENT:
        return conflict
    solution, conflict = _Run(network, (), by_position, DEFAULT_BUDGET).descend(domains, reasons, live, level)
    return conflict if solution is None else None


def holds_with(network: Network, solution: Sequence[int], slot: int, candidate: int) -> bool:
    """Whether a solution stays one where a single slot takes another candidate, which no clause of its own forbids."""
    domains = [1 << position for position in solution]
    domains[slot] = 1 << candidate
    _, conflict = network.propagate(domains, [0] * network.size, (slot,), network.everything)
    return conflict == CONSISTENT


def propagated(network: Network, domains: Sequence[int]) -> list[int] | None:
    """Return the domains after unit propagation, or None where it meets a contradiction."""
    narrowed = network.restricted(domains)
    if not all(narrowed):
        return None
    _, conflict = network.propagate(narrowed, [0] * network.size, range(network.size), network.everything)
    return narrowed if conflict == CONSISTENT else None


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
            if conflict == CONSISTENT:
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
