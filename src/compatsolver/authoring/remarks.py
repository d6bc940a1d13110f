"""What a plan says beside its torch build: the known issues that are told, laid out by candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.hosts import within
from compatsolver.model.component import NONE

if TYPE_CHECKING:
    from compatsolver.authoring.schema import IssueRow, Tables
    from compatsolver.authoring.universe import TorchBuild, Universe


def remarks(tables: Tables, universe: Universe) -> dict[str, list[list[Any]]]:
    """Position of a torch candidate → (text, GPUs that it is about, null for all)."""
    found: dict[str, list[list[Any]]] = {}
    for row in tables.issues:
        if row.told:
            entry = [f"known issue {row.id}: {row.summary}. {row.remedy}", _gpus(row, universe)]
            for position, build in enumerate(universe.builds):
                if _concerns(row, build):
                    found.setdefault(str(position), []).append(entry)
    return found


def _concerns(row: IssueRow, build: TorchBuild) -> bool:
    runtime = build.cuda_minor
    return (
        (row.platforms is None or build.row.platform in row.platforms)
        and (row.versions is None or build.version in SpecifierSet(row.versions))
        and (row.cuda is None or (runtime != NONE and within(runtime, row.cuda)))
    )


def _gpus(row: IssueRow, universe: Universe) -> list[str] | None:
    if row.compute_capability is None:
        return None
    numbers = (candidate.version for candidate in universe.components["gpu"].candidates if candidate.version != NONE)
    return [number for number in numbers if within(number, row.compute_capability)]
