"""A refuted problem as conflicts: what cannot hold together, named after its weightiest fact, with the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.derivation import derive
from compatsolver.explanation.narration import headline, merged, narrate, nothing_matches
from compatsolver.model.resolution import Conflict
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.derivation import Step
    from compatsolver.solver.problem import Assumption, Problem

_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


def explain_conflicts(
    catalog: Catalog, problem: Problem, cores: Sequence[tuple[Assumption, ...]]
) -> tuple[Conflict, ...]:
    """One conflict per independent core."""
    return tuple(_conflict(catalog, problem, core) for core in cores)


def _conflict(catalog: Catalog, problem: Problem, found: tuple[Assumption, ...]) -> Conflict:
    core, derivation = simplest(problem, found)
    steps = derivation[::-1]
    kinds = sorted((step.entry.rule.kind for step in steps), key=_WEIGHT.__getitem__)
    kind = kinds[0] if kinds else Kind.INDEX_NO_SUCH_WHEEL
    return Conflict(
        kind=kind.value,
        summary=headline(kind, core),
        assumptions=tuple(assumption.text for assumption in core),
        because=merged(narrate(catalog, step) for step in steps) or (nothing_matches(catalog, core),),
    )


def simplest(problem: Problem, core: tuple[Assumption, ...]) -> tuple[tuple[Assumption, ...], tuple[Step, ...]]:
    """The core and its proof; beside a core for any platform, the target's is kept where that spares two facts.

    "Driver 535 is too old for torch 2.15" is true everywhere, but on Linux nobody needs the facts about Windows.
    """
    anywhere = derive(problem, core)
    platform = [entry for entry in problem.assumptions if entry.origin == "platform" and entry not in core]
    here = derive(problem, [*core, *platform])
    return (core, anywhere) if len(here) + 1 >= len(anywhere) else ((*core, *platform), here)
