"""A refuted problem as conflicts: what cannot hold together, named after its weightiest fact, with the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.derivation import derive
from compatsolver.explanation.narration import headline, narrate, nothing_matches
from compatsolver.model.resolution import Conflict
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.solver.problem import Assumption, Problem

_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


def explain_conflicts(catalog: Catalog, problem: Problem) -> tuple[Conflict, ...]:
    """One conflict per independent core."""
    return tuple(_conflict(catalog, problem, core) for core in independent_cores(problem))


def _conflict(catalog: Catalog, problem: Problem, core: tuple[Assumption, ...]) -> Conflict:
    steps = derive(problem, core)[::-1]
    kinds = sorted((step.entry.rule.kind for step in steps), key=_WEIGHT.__getitem__)
    kind = kinds[0] if kinds else Kind.INDEX_NO_SUCH_WHEEL
    facts = tuple(narrate(catalog, step) for step in steps) or (nothing_matches(catalog, core),)
    return Conflict(
        kind=kind.value,
        summary=headline(kind, core),
        assumptions=tuple(assumption.text for assumption in core),
        because=facts,
    )
