"""The check reads rules for itself."""

from __future__ import annotations

import pytest

from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.solver.check import holds, violations


def rule(identifier: str, *literals: tuple[str, int]) -> Rule:
    return Rule(identifier, Kind.PKG_PIN, tuple(Literal(*literal) for literal in literals), "documented")


EITHER = rule("either", ("torch", 0b01), ("python", 0b10))


@pytest.mark.parametrize(
    ("torch", "python", "expected"), [(0, 0, True), (0, 1, True), (1, 1, True), (1, 0, False), (2, 2, False)]
)
def test_a_rule_holds_through_any_of_its_literals(torch: int, python: int, expected: bool) -> None:
    assert holds(EITHER, ("torch", "python"), {"torch": torch, "python": python}) is expected


def test_a_rule_without_literals_never_holds() -> None:
    assert not holds(rule("never"), (), {})


def test_slots_say_which_of_two_gpus_is_meant() -> None:
    served = rule("served", ("gpu", 0b01))
    assignment = {"gpu": 0, "gpu#2": 1}
    assert holds(served, ("gpu",), assignment)
    assert not holds(served, ("gpu#2",), assignment)
    assert violations([(served, ("gpu",)), (served, ("gpu#2",))], assignment) == [served]


def test_each_broken_rule_is_named_once_in_the_order_given() -> None:
    other = rule("other", ("python", 0b01))
    assignment = {"torch": 1, "python": 2, "python#2": 2}
    pairs = [(other, ("python",)), (EITHER, ("torch", "python")), (other, ("python#2",))]
    assert violations(pairs, assignment) == [other, EITHER]


def test_as_many_slots_as_literals_are_needed() -> None:
    with pytest.raises(ValueError, match="zip"):
        holds(EITHER, ("torch",), {"torch": 1})
