"""What must not change a verdict, and in which direction it may change."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from compatsolver.solver.certify import Impossible, Solved, Undecided, solve
from compatsolver.solver.check import violations
from compatsolver.solver.problem import Problem, lay_out
from compatsolver.solver.search import search
from universes import Universe, assumed_universes, brute_force, problem_of, restricted, universes

Assumed = tuple[tuple[int, int], ...]


@given(assumed_universes(), st.data())
def test_guards_make_the_difference_between_solved_and_undecided(
    assumed: tuple[Universe, Assumed], data: st.DataObject
) -> None:
    universe, assumptions = assumed
    everything = restricted(universe, assumptions)
    guards = data.draw(st.frozensets(st.integers(0, max(0, len(universe.clauses) - 1)), max_size=3))
    known = replace(
        everything, clauses=tuple(clause for number, clause in enumerate(universe.clauses) if number not in guards)
    )
    verdict = solve(problem_of(universe, assumptions, guards), first=("slot0",))
    expected = Solved if brute_force(everything) else Undecided if brute_force(known) else Impossible
    assert type(verdict) is expected
    if isinstance(verdict, Undecided):
        assert verdict.guards
        assert all(rule.unknown for rule in verdict.guards)


@given(assumed_universes())
def test_every_solution_passes_the_check(assumed: tuple[Universe, Assumed]) -> None:
    problem = problem_of(*assumed)
    verdict = solve(problem)
    assume(isinstance(verdict, Solved))
    assert isinstance(verdict, Solved)
    assert violations(problem.layout, verdict.assignment) == []
    assert all(entry.allowed >> verdict.assignment[entry.slot] & 1 for entry in problem.assumptions)


@given(assumed_universes())
def test_the_same_problem_has_the_same_answer(assumed: tuple[Universe, Assumed]) -> None:
    assert repr(solve(problem_of(*assumed))) == repr(solve(problem_of(*assumed)))


@given(assumed_universes(), st.randoms(use_true_random=False))
def test_order_of_rules_slots_and_assumptions_is_irrelevant(assumed: tuple[Universe, Assumed], random: object) -> None:
    problem = problem_of(*assumed)
    shuffle = random.shuffle  # type: ignore[attr-defined]
    rules = [entry.rule for entry in problem.layout.bound]
    names = list(problem.layout.components)
    assumptions = list(problem.assumptions)
    for sequence in (rules, names, assumptions):
        shuffle(sequence)
    components = {name: problem.layout.components[name] for name in names}
    shuffled = Problem(lay_out(rules, components), tuple(assumptions))
    assert type(solve(shuffled)) is type(solve(problem))


@given(universes(), st.data())
def test_removing_a_clause_never_makes_a_solvable_universe_unsolvable(universe: Universe, data: st.DataObject) -> None:
    assume(universe.clauses)
    assume(search(universe.network, universe.domains) is not None)
    dropped = data.draw(st.integers(0, len(universe.clauses) - 1))
    fewer = Universe(universe.domains, universe.clauses[:dropped] + universe.clauses[dropped + 1 :])
    assert search(fewer.network, fewer.domains) is not None


@given(universes(), st.data())
def test_adding_an_assumption_never_mends(universe: Universe, data: st.DataObject) -> None:
    assume(search(universe.network, universe.domains) is None)
    slot = data.draw(st.integers(0, len(universe.domains) - 1))
    mask = data.draw(st.integers(0, universe.domains[slot]))
    narrower = restricted(universe, [(slot, mask)])
    assert search(narrower.network, narrower.domains) is None
