"""Rules for torch builds that the tables do not list, of which only the CUDA runtime is known.

They are kept apart from the others: a listed build has its own arch list, which may serve a GPU through PTX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.rules.chips import chips
from compatsolver.authoring.rules.hosts import bounded
from compatsolver.authoring.schema import Bounds, CapabilityRow, Tables
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.model.version import Capability, NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.universe import Universe


def beyond_rules(tables: Tables, universe: Universe, references: References) -> Iterator[Rule]:
    """The first toolkit that compiles machine code which a GPU can run."""
    for row in chips(tables):
        first = _first_toolkit(row, tables)
        if first is None:
            continue
        older = bounded(universe, "cuda", Bounds(below=first))
        if older:
            yield Rule(
                id=f"gpu-first-toolkit/{row.compute_capability}/{first}",
                kind=Kind.ARCH_ABOVE_WHEEL_MAX,
                literals=(
                    Literal("gpu", universe.everything("gpu") & ~universe.only("gpu", row.compute_capability)),
                    Literal("cuda", universe.everything("cuda") & ~older),
                ),
                evidence=row.evidence,
                sources=references.positions(row.sources),
            )


def _first_toolkit(row: CapabilityRow, tables: Tables) -> str | None:
    """The oldest toolkit for this capability or for one whose machine code it runs: same major, minor not above."""
    own = Capability.parse(row.compute_capability)
    serving = [row]
    if not row.island:
        serving += [
            other
            for other in tables.capabilities
            if not other.island
            and Capability.parse(other.compute_capability).major == own.major
            and Capability.parse(other.compute_capability) < own
        ]
    if any(other.first_toolkit is None for other in serving):
        return None
    return min((other.first_toolkit for other in serving if other.first_toolkit), key=NumericVersion.parse)
