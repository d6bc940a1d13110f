"""Cores cannot hold together and nothing in them can be spared; the facts printed refute by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import assume, given

from compatsolver.explanation.cores import independent_cores, minimal_core
from compatsolver.explanation.derivation import derive
from universes import Universe, assumed_universes, brute_force, problem_of

if TYPE_CHECKING:
    from compatsolver.solver.problem import Assumption, BoundRule, Problem

Assumed = tuple[tuple[int, int], ...]


def solvable(problem: Problem, assumptions: tuple[Assumption, ...], facts: list[BoundRule]) -> bool:
    """Whether some choice satisfies the facts under the assumptions, by brute force."""
    numbers = problem.layout.numbers
    clauses = tuple(
        tuple((numbers[slot], literal.allowed) for slot, literal in zip(entry.slots, entry.rule.literals, strict=True))
        for entry in facts
    )
    return brute_force(Universe(tuple(problem.domains(assumptions)), clauses)) is not None


def refuted_problem(assumed: tuple[Universe, Assumed]) -> Problem:
    problem = problem_of(*assumed)
    assume(not solvable(problem, problem.assumptions, list(problem.layout.bound)))
    return problem


@given(assumed_universes())
def test_a_core_is_unsatisfiable_and_minimal(assumed: tuple[Universe, Assumed]) -> None:
    problem = refuted_problem(assumed)
    rules = list(problem.layout.bound)
    core = minimal_core(problem, problem.assumptions)
    assert not solvable(problem, core, rules)
    for place in range(len(core)):
        assert solvable(problem, core[:place] + core[place + 1 :], rules)


@given(assumed_universes())
def test_independent_cores_share_nothing_and_the_rest_is_solvable(assumed: tuple[Universe, Assumed]) -> None:
    problem = refuted_problem(assumed)
    cores = independent_cores(problem)
    assert cores
    named = [entry for core in cores for entry in core]
    assert len(named) == len(set(named))
    rest = tuple(entry for entry in problem.assumptions if entry not in named)
    assert cores == [()] or len(cores) == 5 or solvable(problem, rest, list(problem.layout.bound))


@given(assumed_universes())
def test_the_facts_told_refute_and_none_can_be_left_out(assumed: tuple[Universe, Assumed]) -> None:
    problem = refuted_problem(assumed)
    core = minimal_core(problem, problem.assumptions)
    facts = [step.entry for step in derive(problem, core)]
    assert not solvable(problem, core, facts)
    for place in range(len(facts)):
        assert solvable(problem, core, facts[:place] + facts[place + 1 :])


@given(assumed_universes())
def test_a_step_tells_what_was_possible_before_it(assumed: tuple[Universe, Assumed]) -> None:
    problem = refuted_problem(assumed)
    core = minimal_core(problem, problem.assumptions)
    steps = derive(problem, core)
    start = dict(zip(problem.layout.slots, problem.domains(core), strict=True))
    assert all(step.before[slot] & ~start[slot] == 0 for step in steps for slot in start)
    assert not steps or steps[0].before == start
