"""Only certified verdicts leave the solver."""

from __future__ import annotations

import pytest

from compatsolver.errors import EngineDisagreement, SolverLimit
from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.rule import Kind, Literal, Rule, Unknown
from compatsolver.solver.certify import Impossible, Solved, Undecided, confirm_refuted, describe, solve
from compatsolver.solver.problem import Assumption, Problem, lay_out

TORCH = Component("torch", "PyTorch", "package", Family.PEP440, tuple(map(Candidate, ("2.2", "2.1", "2.0"))))
PYTHON = Component("python", "Python", "host", Family.PYTHON, tuple(map(Candidate, ("3.12", "3.11"))))
COMPONENTS = {"torch": TORCH, "python": PYTHON}


def guard(identifier: str, allowed: int, column: str) -> Rule:
    unknown = Unknown(fact=identifier, why="nobody read it", how="read it")
    return Rule(
        identifier, Kind.INDEX_NO_SUCH_WHEEL, (Literal("torch", allowed),), "inferred", field=column, unknown=unknown
    )


def wanted(allowed: int) -> Assumption:
    return Assumption("torch", allowed, f"torch {allowed:03b}", "requirement")


NEW_PYTHON = Rule("wheels", Kind.PYTHON_NO_WHEEL, (Literal("python", 0b10), Literal("torch", 0b001)), "documented")
ON_3_12 = Assumption("python", 0b01, "Python 3.12", "python")


def test_the_best_candidate_without_doubt_is_solved() -> None:
    problem = Problem(lay_out([guard("unpublished", 0b110, "published")], COMPONENTS), ())
    assert solve(problem) == Solved({"torch": 1, "python": 0})


def test_what_rests_on_a_guard_is_undecided_and_names_it() -> None:
    unpublished = guard("unpublished", 0b110, "published")
    verdict = solve(Problem(lay_out([unpublished, NEW_PYTHON], COMPONENTS), (ON_3_12,)))
    assert verdict == Undecided({"torch": 0, "python": 0}, (unpublished,))


def test_the_least_doubt_is_named() -> None:
    """2.2 rests on two unknown facts, 2.1 on one of them: that one would decide."""
    published, archs = guard("published", 0b100, "published"), guard("archs", 0b110, "archs")
    verdict = solve(Problem(lay_out([published, archs], COMPONENTS), (wanted(0b011),)))
    assert verdict == Undecided({"torch": 1, "python": 0}, (published,))


def test_where_no_single_subject_suffices_all_guards_are_named() -> None:
    published, archs = guard("published", 0b110, "published"), guard("archs", 0b110, "archs")
    verdict = solve(Problem(lay_out([published, archs], COMPONENTS), (wanted(0b001),)))
    assert verdict == Undecided({"torch": 0, "python": 0}, (published, archs))


def avoid(identifier: str, allowed: int, column: str) -> Rule:
    return Rule(identifier, Kind.BNB_CUDA_BINARY, (Literal("torch", allowed),), "documented", field=column, avoid=True)


def test_what_is_to_be_avoided_loses_to_what_is_not() -> None:
    assert solve(Problem(lay_out([avoid("source", 0b010, "binaries")], COMPONENTS), ())) == Solved(
        {"torch": 1, "python": 0}
    )


def test_what_cannot_be_avoided_is_named() -> None:
    source = avoid("source", 0b010, "binaries")
    verdict = solve(Problem(lay_out([source], COMPONENTS), (wanted(0b101),)))
    assert verdict == Solved({"torch": 0, "python": 0}, (source,))


def test_no_more_is_broken_than_has_to_be() -> None:
    """2.2 breaks both rules, 2.1 one of them."""
    source, part = avoid("source", 0b100, "binaries"), avoid("part", 0b110, "works_with")
    verdict = solve(Problem(lay_out([source, part], COMPONENTS), (wanted(0b011),)))
    assert verdict == Solved({"torch": 1, "python": 0}, (source,))


def test_two_rules_to_avoid_may_both_break() -> None:
    source, part = avoid("source", 0b110, "binaries"), avoid("part", 0b110, "works_with")
    verdict = solve(Problem(lay_out([source, part], COMPONENTS), (wanted(0b001),)))
    assert verdict == Solved({"torch": 0, "python": 0}, (source, part))


def test_a_source_build_goes_before_doubt() -> None:
    """2.2 has to be built from source, whether 2.1 is published nobody knows."""
    source, unpublished = avoid("source", 0b110, "binaries"), guard("unpublished", 0b101, "published")
    problem = Problem(lay_out([source, unpublished], COMPONENTS), (wanted(0b011),))
    assert solve(problem) == Solved({"torch": 0, "python": 0}, (source,))


def test_doubt_is_named_where_nothing_else_is_left() -> None:
    source, unpublished = avoid("source", 0b110, "binaries"), guard("unpublished", 0b110, "published")
    problem = Problem(lay_out([source, unpublished], COMPONENTS), (wanted(0b001),))
    assert solve(problem) == Undecided({"torch": 0, "python": 0}, (unpublished,))


def test_what_breaks_a_known_rule_is_impossible() -> None:
    doubt = guard("archs", 0b001, "archs")
    problem = Problem(lay_out([NEW_PYTHON, doubt], COMPONENTS), (ON_3_12, wanted(0b110)))
    assert solve(problem) == Impossible()
    confirm_refuted(problem, problem.assumptions)


def test_a_slot_that_is_not_in_use_cannot_come_first() -> None:
    problem = Problem(lay_out([NEW_PYTHON], {"python": PYTHON}), ())
    assert solve(problem, first=("torch",)) == Solved({"python": 0})


def test_the_budget_holds_for_each_search() -> None:
    with pytest.raises(SolverLimit):
        solve(Problem(lay_out([], COMPONENTS), ()), budget=1)


def test_a_core_with_a_solution_is_a_fault_of_ours() -> None:
    problem = Problem(lay_out([NEW_PYTHON], COMPONENTS), (ON_3_12, wanted(0b110)))
    with pytest.raises(EngineDisagreement, match="have a solution") as caught:
        confirm_refuted(problem, problem.assumptions[:1])
    assert caught.value.case == describe(problem) == "Python 3.12; torch 110"
    assert caught.value.exit_code == 70


@pytest.mark.parametrize(
    ("rule", "message"), [(NEW_PYTHON, "what a rule forbids"), (guard("archs", 0b010, "archs"), "what a guard forbids")]
)
def test_the_check_stops_a_search_that_has_lost_rules(rule: Rule, message: str) -> None:
    layout = lay_out([rule], COMPONENTS)
    vars(layout)["guarded"] = layout.network(())
    with pytest.raises(EngineDisagreement, match=message):
        solve(Problem(layout, (ON_3_12, wanted(0b100))))
