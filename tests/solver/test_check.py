"""The check reads rules for itself."""

from __future__ import annotations

import pytest

from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.solver.check import violations
from compatsolver.solver.problem import BoundRule, Layout


def rule(identifier: str, *literals: tuple[str, int]) -> Rule:
    return Rule(identifier, Kind.PKG_PIN, tuple(Literal(*literal) for literal in literals), "documented")


def layout(*bound: tuple[Rule, tuple[str, ...]]) -> Layout:
    return Layout({}, tuple(BoundRule(*entry) for entry in bound))


EITHER = rule("either", ("torch", 0b01), ("python", 0b10))


@pytest.mark.parametrize(
    ("torch", "python", "broken"), [(0, 0, []), (0, 1, []), (1, 1, []), (1, 0, [EITHER]), (2, 2, [EITHER])]
)
def test_a_rule_holds_through_any_of_its_literals(torch: int, python: int, broken: list[Rule]) -> None:
    assert violations(layout((EITHER, ("torch", "python"))), {"torch": torch, "python": python}) == broken


def test_a_rule_without_literals_never_holds() -> None:
    never = rule("never")
    assert violations(layout((never, ())), {}) == [never]


def test_slots_say_which_of_two_gpus_is_meant() -> None:
    served = rule("served", ("gpu", 0b01))
    assignment = {"gpu": 0, "gpu#2": 1}
    assert violations(layout((served, ("gpu",))), assignment) == []
    assert violations(layout((served, ("gpu",)), (served, ("gpu#2",))), assignment) == [served]


def test_each_broken_rule_is_named_once_in_the_order_given() -> None:
    other = rule("other", ("python", 0b01))
    assignment = {"torch": 1, "python": 2, "python#2": 2}
    bound = layout((other, ("python",)), (EITHER, ("torch", "python")), (other, ("python#2",)))
    assert violations(bound, assignment) == [other, EITHER]


def test_as_many_slots_as_literals_are_needed() -> None:
    with pytest.raises(ValueError, match="zip"):
        violations(layout((EITHER, ("torch",))), {"torch": 1})
