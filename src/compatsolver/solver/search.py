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


def by_position(_slot: int, domain: int) -> Iterable[int]:
    """Rank candidates as the catalogue lists them."""
    return members(domain)


def search(
    domains: Sequence[int],
    clauses: Sequence[Clause],
    *,
    first: Sequence[int] = (),
    ranking: Ranking = by_position,
    budget: int = DEFAULT_BUDGET,
) -> list[int] | None:
    """Return one candidate position per slot, or None where no choice satisfies all clauses.

    Slots in `first` are decided in that order, then the slot with the fewest candidates left. Raises SolverLimit
    after `budget` decisions.
    """
    run = _Run(clauses, len(domains), tuple(first), ranking, budget)
    start = list(domains)
    if not all(start):
        return None
    reasons = [0] * len(start)
    if run.propagate(start, reasons, range(len(start))) != _CONSISTENT:
        return None
    solution, _ = run.descend(start, reasons, 0)
    return None if solution is None else [mask.bit_length() - 1 for mask in solution]


def propagated(domains: Sequence[int], clauses: Sequence[Clause]) -> list[int] | None:
    """Return the domains after unit propagation, or None where it meets a contradiction."""
    run = _Run(clauses, len(domains), (), by_position, 0)
    narrowed = list(domains)
    consistent = run.propagate(narrowed, [0] * len(narrowed), range(len(narrowed))) == _CONSISTENT
    return narrowed if consistent else None


class _Run:
    """One search: the clauses by slot, and the count of decisions made."""

    __slots__ = ("budget", "first", "nodes", "ranking", "watch")

    def __init__(
        self, clauses: Sequence[Clause], size: int, first: tuple[int, ...], ranking: Ranking, budget: int
    ) -> None:
        self.first = first
        self.ranking = ranking
        self.budget = budget
        self.nodes = 0
        self.watch: list[list[Clause]] = [[] for _ in range(size)]
        for clause in clauses:
            for slot, _ in clause:
                self.watch[slot].append(clause)

    def propagate(self, domains: list[int], reasons: list[int], changed: Iterable[int]) -> int:
        """Narrow `domains` in place; return `_CONSISTENT`, or the decisions a contradiction rests on."""
        pending = list(changed)
        watch = self.watch
        while pending:
            for clause in watch[pending.pop()]:
                open_slot = _CONSISTENT
                open_mask = blame = 0
                for slot, mask in clause:
                    domain = domains[slot]
                    if not domain & mask:
                        blame |= reasons[slot]
                    elif open_slot >= 0 or not domain & ~mask:
                        break
                    else:
                        open_slot, open_mask = slot, mask
                else:
                    if open_slot < 0:
                        return blame
                    domains[open_slot] &= open_mask
                    reasons[open_slot] |= blame
                    pending.append(open_slot)
        return _CONSISTENT

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
            conflict = self.propagate(trial, rests_on, (slot,))
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
