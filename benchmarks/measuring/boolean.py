"""Slots and clauses as a Boolean formula, loaded into a SAT solver and into an answer set solver."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from clingo import Control
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from compatsolver.model.component import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.solver.network import Clause

SAT_SOLVER = "cadical153"
"""The fastest of python-sat's on the mixed questions."""


class Formula:
    """A variable for each candidate of each slot, of which one is true; `sizes`: how many candidates the slots have."""

    def __init__(self, sizes: Sequence[int], clauses: Sequence[Clause]) -> None:
        self.sizes = sizes
        self.before = [0, *accumulate(sizes)]
        self._clauses = clauses

    def variables(self, slot: int, mask: int) -> list[int]:
        """Those of some candidates of a slot; the first variable is 1."""
        return [self.before[slot] + position + 1 for position in members(mask)]

    def slots(self) -> Iterator[list[int]]:
        """For each slot the variables of its candidates."""
        for slot, size in enumerate(self.sizes):
            yield self.variables(slot, (1 << size) - 1)

    def clauses(self) -> Iterator[list[int]]:
        """Of each, one variable has to be true."""
        for clause in self._clauses:
            yield [variable for slot, mask in clause for variable in self.variables(slot, mask)]

    def excluded(self, domains: Sequence[int]) -> list[int]:
        """What such domains assume: the variables of all candidates outside, negated."""
        pairs = enumerate(zip(self.sizes, domains, strict=True))
        return [-entry for slot, (size, domain) in pairs for entry in self.variables(slot, (1 << size) - 1 & ~domain)]


def sat_solver(formula: Formula) -> Solver:
    """A solver of python-sat that holds the formula."""
    solver = Solver(name=SAT_SOLVER, bootstrap_with=formula.clauses())
    top = formula.before[-1]
    for variables in formula.slots():
        exactly_one = CardEnc.equals(variables, bound=1, top_id=top, encoding=EncType.ladder)
        top = max(top, exactly_one.nv)
        solver.append_formula(exactly_one.clauses)
    return solver


def answer_set_solver(formula: Formula) -> Control:
    """clingo with the formula as a ground program."""
    control = Control()
    with control.backend() as backend:
        for _ in range(formula.before[-1]):
            backend.add_atom()
        for variables in formula.slots():
            backend.add_rule(variables, choice=True)
            backend.add_rule([], [-variable for variable in variables])
            backend.add_weight_rule([], 2, [(variable, 1) for variable in variables])
        for clause in formula.clauses():
            backend.add_rule([], [-variable for variable in clause])
    return control
