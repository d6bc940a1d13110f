"""The search by examples; tests/property holds it against brute force."""

from __future__ import annotations

import pytest

from compatsolver.errors import SolverLimit
from compatsolver.model.component import members
from compatsolver.solver.network import Network
from compatsolver.solver.search import by_position, propagated, search

TWO = 0b11
THREE = 0b111


def test_nothing_to_decide() -> None:
    assert search(Network(0, []), []) == []


def test_without_clauses_every_slot_gets_its_best_candidate() -> None:
    assert search(Network(3, []), [TWO, 0b110, THREE]) == [0, 1, 0]


def test_an_empty_domain_has_no_solution() -> None:
    assert search(Network(2, []), [TWO, 0]) is None


def test_a_clause_of_nothing_has_no_solution() -> None:
    assert search(Network(1, [((0, 0),)]), [TWO]) is None


def test_units_follow_from_each_other() -> None:
    implications = [((0, 0b10), (1, 0b10)), ((1, 0b01), (2, 0b100))]
    network = Network(3, [((0, 0b01),), *implications])
    assert propagated(network, [TWO, TWO, THREE]) == [0b01, 0b10, 0b100]
    assert search(network, [TWO, TWO, THREE]) == [0, 1, 2]


def test_propagation_meets_a_contradiction_without_deciding() -> None:
    network = Network(2, [((0, 0b01),), ((0, 0b10), (1, 0b01)), ((1, 0b10),)])
    assert propagated(network, [TWO, TWO]) is None
    assert search(network, [TWO, TWO], budget=0) is None


def test_a_literal_met_for_sure_says_nothing_about_the_others() -> None:
    network = Network(2, [((0, THREE), (1, 0))])
    assert search(network, [THREE, THREE]) == [0, 0]


def test_only_changed_slots_are_looked_at_first() -> None:
    network = Network(3, [((0, 0b10), (1, 0b10)), ((1, 0b01), (2, 0b10))])
    assert search(network, [0b01, TWO, TWO], changed=(0,)) == [0, 1, 1]


def test_slots_named_first_are_decided_first() -> None:
    either = Network(2, [((0, 0b10), (1, 0b10))])
    assert search(either, [TWO, TWO], first=(0,)) == [0, 1]
    assert search(either, [TWO, TWO], first=(1,)) == [1, 0]


def test_then_the_slot_with_the_fewest_candidates() -> None:
    decided: list[int] = []

    def ranking(slot: int, domain: int) -> list[int]:
        decided.append(slot)
        return members(domain)

    search(Network(3, []), [THREE, TWO, THREE], ranking=ranking)
    assert decided == [1, 0, 2]


def test_the_ranking_is_kept_to() -> None:
    network = Network(2, [((0, 0b011), (1, 0b01)), ((1, 0b10),)])
    assert search(network, [THREE, TWO], first=(0,), ranking=lambda _, domain: members(domain)[::-1]) == [1, 1]


def test_the_catalogue_order_is_the_default_ranking() -> None:
    assert list(by_position(0, 0b1011)) == [0, 1, 3]


def test_a_dead_end_jumps_over_decisions_it_does_not_rest_on() -> None:
    """Slot 0 excludes both values of slot 4; slots 1 to 3 are free, so 3 ** 3 choices must not be tried."""
    clauses = [((0, 0b10), (4, 0b001), (5, 0b01)), ((0, 0b10), (4, 0b010), (5, 0b10)), ((4, 0b011),)]
    clauses += [((0, 0b10), (4, 0b010), (5, 0b01)), ((0, 0b10), (4, 0b001), (5, 0b10))]
    domains = [TWO, THREE, THREE, THREE, THREE, TWO]
    assert search(Network(6, clauses), domains, first=(0, 1, 2, 3), budget=12) == [1, 0, 0, 0, 0, 0]


def test_a_dead_end_is_blamed_on_what_any_of_its_candidates_rests_on() -> None:
    """Slot 1 fails with 0 because of slot 0, and with 1 by itself: slot 0 must be tried again all the same."""
    clauses = [
        ((2, 0b01), (1, 0b10)),
        ((2, 0b10), (0, 0b10), (1, 0b10)),
        ((2, 0b10), (1, 0b01)),
        ((2, 0b01), (1, 0b01)),
    ]
    assert search(Network(3, clauses), [TWO, TWO, TWO], first=(0, 1)) == [1, 0, 0]


def test_a_spent_budget_is_no_answer() -> None:
    pigeons, holes = 7, 6
    anywhere = (1 << holes) - 1
    clauses = [
        ((left, anywhere & ~(1 << hole)), (right, anywhere & ~(1 << hole)))
        for left in range(pigeons)
        for right in range(left)
        for hole in range(holes)
    ]
    network, domains = Network(pigeons, clauses), [anywhere] * pigeons
    with pytest.raises(SolverLimit) as caught:
        search(network, domains, budget=50)
    assert caught.value.nodes == 50
    assert caught.value.exit_code == 5
    assert search(network, domains) is None


def test_a_budget_that_suffices_is_not_noticed() -> None:
    assert search(Network(3, []), [TWO, TWO, TWO], budget=3) == [0, 0, 0]
    with pytest.raises(SolverLimit):
        search(Network(3, []), [TWO, TWO, TWO], budget=2)
