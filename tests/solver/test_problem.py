"""Slots, and rules read on them."""

from __future__ import annotations

import pytest

from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.rule import Kind, Literal, Rule, Unknown
from compatsolver.solver.problem import Assumption, Problem, lay_out

GPU = Component("gpu", "GPU", "host", Family.CAPABILITY, tuple(map(Candidate, ("9.0", "7.0", "none"))))
TORCH = Component("torch", "PyTorch", "package", Family.PEP440, tuple(map(Candidate, ("2.1", "2.0"))))
SERVED = Rule("served", Kind.ARCH_BELOW_WHEEL_MIN, (Literal("gpu", 0b101), Literal("torch", 0b10)), "documented")
GUARD = Rule("guard", Kind.ARCH_ABOVE_WHEEL_MAX, (Literal("torch", 0b01),), "inferred", unknown=Unknown("a", "b", "c"))
ONE_GPU = {"gpu": GPU, "torch": TORCH}
TWO_GPUS = {"gpu": GPU, "gpu#2": GPU, "torch": TORCH}


def test_a_rule_is_read_once_for_one_gpu_and_twice_for_two() -> None:
    assert [entry.slots for entry in lay_out([SERVED], ONE_GPU).bound] == [("gpu", "torch")]
    assert [entry.slots for entry in lay_out([SERVED], TWO_GPUS).bound] == [("gpu", "torch"), ("gpu#2", "torch")]


def test_a_rule_on_two_gpus_at_once_is_read_for_every_pair() -> None:
    pair = Rule("pair", Kind.PKG_PIN, (Literal("gpu", 0b1), Literal("gpu", 0b10)), "documented")
    slots = {entry.slots for entry in lay_out([pair], TWO_GPUS).bound}
    assert slots == {("gpu", "gpu"), ("gpu", "gpu#2"), ("gpu#2", "gpu"), ("gpu#2", "gpu#2")}


def test_a_rule_on_a_component_not_in_use_says_nothing() -> None:
    assert lay_out([SERVED], {"torch": TORCH}).bound == ()


def test_clauses_carry_slot_numbers() -> None:
    layout = lay_out([SERVED], TWO_GPUS)
    assert layout.slots == ("gpu", "gpu#2", "torch")
    assert layout.certain.clauses == (((0, 0b101), (2, 0b10)), ((1, 0b101), (2, 0b10)))


def test_guards_are_only_in_the_guarded_network() -> None:
    layout = lay_out([SERVED, GUARD], ONE_GPU)
    assert len(layout.certain.clauses) == 1
    assert len(layout.guarded.clauses) == 2
    assert layout.certain_domains == [0b111, 0b11]
    assert layout.guarded_domains == [0b101, 0b01]


def test_rules_that_contradict_each_other_leave_nothing() -> None:
    never = Rule("never", Kind.PKG_PIN, (Literal("torch", 0),), "documented")
    assert lay_out([never], ONE_GPU).certain_domains == [0, 0]


def test_assumptions_cut_domains_down() -> None:
    assumptions = (Assumption("gpu", 0b011, "a GPU", "gpu"), Assumption("gpu", 0b110, "no H100", "gpu"))
    problem = Problem(lay_out([SERVED], ONE_GPU), assumptions)
    assert problem.domains() == [0b010, 0b11]
    assert problem.domains(assumptions[:1]) == [0b011, 0b11]
    assert problem.domains((), start=[0b1, 0b1]) == [0b1, 0b1]
    assert problem.domains((*assumptions, Assumption("gpu", 0b101, "else", "gpu")))[0] == 0


@pytest.mark.parametrize("solution", [[0, 1], [2, 0]])
def test_a_solution_is_named_by_slot(solution: list[int]) -> None:
    assert Problem(lay_out([], ONE_GPU), ()).assignment(solution) == dict(zip(("gpu", "torch"), solution, strict=True))
