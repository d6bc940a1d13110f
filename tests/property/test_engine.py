"""The engine's verdict is that of brute force, on ten thousand universes or as many as COMPATSOLVER_UNIVERSES says."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.model.component import members
from compatsolver.solver.search import search
from universes import Universe, brute_force, random_universe, satisfies, solutions, universes

COUNT = int(os.environ.get("COMPATSOLVER_UNIVERSES", "10000"))
BLOCKS = 10


@pytest.mark.parametrize("block", range(BLOCKS))
def test_verdict_is_that_of_brute_force(block: int) -> None:
    solved = 0
    for seed in range(block, COUNT, BLOCKS):
        random = Random(seed)
        universe = random_universe(random)
        first = random.sample(range(len(universe.domains)), random.choice((0, len(universe.domains))))
        found = search(universe.network, universe.domains, first=first)
        if found is None:
            assert brute_force(universe) is None, f"seed {seed}: called unsolvable: {universe}"
        else:
            assert satisfies(universe, found), f"seed {seed}: not a solution: {found} of {universe}"
            solved += 1
    assert 0.3 < solved / len(range(block, COUNT, BLOCKS)) < 0.8, "the universes have become one-sided"


@given(universes())
def test_verdict_of_shrinkable_universes(universe: Universe) -> None:
    found = search(universe.network, universe.domains)
    assert (found is None) == (brute_force(universe) is None)
    assert found is None or satisfies(universe, found)


@given(universes(), st.data())
def test_the_first_slot_gets_the_best_candidate_that_any_solution_has(universe: Universe, data: st.DataObject) -> None:
    slot = data.draw(st.integers(0, len(universe.domains) - 1))
    order = data.draw(st.permutations(members(universe.domains[slot])))
    found = search(
        universe.network,
        universe.domains,
        first=(slot,),
        ranking=lambda number, domain: [p for p in order if domain >> p & 1] if number == slot else members(domain),
    )
    possible = {choice[slot] for choice in solutions(universe)}
    assert (found[slot] if found else None) == next((place for place in order if place in possible), None)
