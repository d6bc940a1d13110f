"""The check reads rules for itself."""

from __future__ import annotations

import pytest

from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.solver.check import violations
from compatsolver.solver.problem import lay_out


def rule(identifier: str, *literals: tuple[str, int]) -> Rule:
    return Rule(identifier, Kind.PKG_PIN, tuple(Literal(*literal) for literal in literals), "documented")


TORCH = Component("torch", "PyTorch", "package", Family.PEP440, tuple(map(Candidate, ("2.2", "2.1", "2.0"))))
PYTHON = Component("python", "Python", "host", Family.PYTHON, tuple(map(Candidate, ("3.12", "3.11", "3.10"))))
SLOTS = {"torch": TORCH, "python": PYTHON}


EITHER = rule("either", ("torch", 0b01), ("python", 0b10))


@pytest.mark.parametrize(
    ("torch", "python", "broken"), [(0, 0, []), (0, 1, []), (1, 1, []), (1, 0, [EITHER]), (2, 2, [EITHER])]
)
def test_a_rule_holds_through_any_of_its_literals(torch: int, python: int, broken: list[Rule]) -> None:
    assert violations(lay_out([EITHER], SLOTS), {"torch": torch, "python": python}) == broken


def test_a_rule_without_literals_never_holds() -> None:
    never = rule("never")
    assert violations(lay_out([never], {}), {}) == [never]


def test_every_gpu_of_two_is_checked() -> None:
    served = rule("served", ("gpu", 0b01))
    gpu = Component("gpu", "GPU", "host", Family.CAPABILITY, tuple(map(Candidate, ("9.0", "7.0"))))
    assert violations(lay_out([served], {"gpu": gpu}), {"gpu": 0}) == []
    assert violations(lay_out([served], {"gpu": gpu, "gpu#2": gpu}), {"gpu": 0, "gpu#2": 1}) == [served]


def test_each_broken_rule_is_named_once_in_the_order_given() -> None:
    other = rule("other", ("python", 0b01))
    layout = lay_out([other, EITHER], SLOTS | {"python#2": PYTHON})
    assert violations(layout, {"torch": 1, "python": 2, "python#2": 2}) == [other, EITHER]
