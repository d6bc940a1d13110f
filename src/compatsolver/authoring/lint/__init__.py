"""Named lints: what a schema cannot see. One file per subject, one function per lint, named after what must hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.lint import (
    binaries,
    gpus,
    hardware,
    issues,
    libraries,
    measured,
    order,
    pairs,
    series,
    siblings,
    sources,
    symptoms,
    torch,
    versions,
)
from compatsolver.authoring.lint.problem import Lint, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compatsolver.authoring.schema import Tables

__all__ = ["LINTS", "Problem", "lint"]

_ON_TEXT = (*sources.LINTS, *versions.LINTS, *symptoms.LINTS)
_ON_VERSIONS = (
    *order.LINTS,
    *hardware.LINTS,
    *gpus.LINTS,
    *torch.LINTS,
    *libraries.LINTS,
    *pairs.LINTS,
    *binaries.LINTS,
    *measured.LINTS,
    *issues.LINTS,
)
_ON_KIN = (*siblings.LINTS, *series.LINTS)
_EVERY = (*_ON_TEXT, *_ON_VERSIONS, *_ON_KIN)

LINTS: dict[str, Lint] = {check.__name__.replace("_", "-"): check for check in _EVERY}
"""Name → lint."""


def lint(tables: Tables, *, overlaid: bool = False) -> list[Problem]:
    """Everything wrong with the tables, in the order of their files.

    Lints that compare versions run only once all versions can be read. Under an overlay rows may differ from their
    kin: it is there to say what is different.
    """
    problems = list(_run(_ON_TEXT, tables))
    if not any(problem.lint == "versions-readable" for problem in problems):
        problems += _run(_ON_VERSIONS if overlaid else (*_ON_VERSIONS, *_ON_KIN), tables)
    return sorted(problems, key=_place)


def _run(lints: Iterable[Lint], tables: Tables) -> Iterator[Problem]:
    for check in lints:
        for finding in check(tables):
            name = check.__name__.replace("_", "-")
            yield Problem(tables.place(finding.row), name, finding.message, finding.tip)


def _place(problem: Problem) -> tuple[str, int]:
    file, _, line = problem.place.rpartition(":")
    return (file, int(line)) if line.isdigit() else (problem.place, 0)
