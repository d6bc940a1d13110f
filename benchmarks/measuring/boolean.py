"""A layout as a Boolean formula, kept by a SAT solver and by an answer set solver that problems on it are asked of."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from clingo import Control
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from compatsolver.model.component import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.solver.problem import Layout, Problem


class Formula:
    """A variable for each candidate of each slot; of a slot's, one is true."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        sizes = [len(component.candidates) for component in layout.components.values()]
        self.before = [0, *accumulate(sizes)]

    def variables(self, slot: int, mask: int) -> list[int]:
        """Those of some candidates of a slot; the first variable is 1."""
        return [self.before[slot] + position + 1 for position in members(mask)]

    def slots(self) -> Iterator[list[int]]:
        """For each slot the variables of its candidates."""
        for slot, component in enumerate(self.layout.components.values()):
            yield self.variables(slot, component.everything)

    def clauses(self) -> Iterator[list[int]]:
        """The rules and the guards: of each, one variable has to be true."""
        for clause in self.layout.guarded.clauses:
            yield [variable for slot, mask in clause for variable in self.variables(slot, mask)]

    def excluded(self, problem: Problem) -> list[int]:
        """The variables that what a problem assumes makes false, negated."""
        domains = problem.domains(start=self.layout.guarded_domains)
        components = self.layout.components.values()
        return [
            -variable
            for slot, (component, domain) in enumerate(zip(components, domains, strict=True))
            for variable in self.variables(slot, component.everything & ~domain)
        ]


def sat_solver(formula: Formula, name: str) -> Solver:
    """A solver of python-sat that holds the formula."""
    solver = Solver(name=name, bootstrap_with=formula.clauses())
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
