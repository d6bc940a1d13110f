"""The axes of a matrix, and the values that a range stands for on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from packaging.specifiers import SpecifierSet

from compatsolver.errors import InputError
from compatsolver.model.component import NONE, UNKNOWN, members
from compatsolver.model.version import package_version
from compatsolver.solver.selection import select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Requirement

MACHINE = ("platform", "gpu")
"""Axes whose values stand beside each other; those of all others have an order, newest first."""


class Axis(NamedTuple):
    """A name and its values, the newest first where they have an order; None among them is "not given"."""

    name: str
    values: tuple[str | None, ...]

    @property
    def is_ordered(self) -> bool:
        """Whether "oldest" and "newest" mean something on it."""
        return self.name not in MACHINE


def package_axis(catalog: Catalog, name: str, requirements: Sequence[Requirement]) -> Axis:
    """The release lines of a package that its requirements allow, each by its newest release.

    Raises InputError where they allow none that the catalogue knows.
    """
    wanted = [entry for entry in requirements if entry.name == name]
    allowed = catalog.components[name].everything
    for entry in wanted:
        allowed &= select(catalog, entry).allowed
    versions = dict.fromkeys(catalog.components[name].candidates[place].version for place in members(allowed))
    lines: dict[tuple[int, ...], str] = {}
    for version in sorted((v for v in versions if v not in (NONE, UNKNOWN)), key=package_version, reverse=True):
        lines.setdefault((*package_version(version).release, 0)[:2], version)
    if not lines:
        words = " and ".join(entry.words for entry in wanted) or name
        raise InputError(
            f"the catalogue knows no release that matches {words}",
            hint="widen the range, or name a catalogue that covers it (--catalog)",
        )
    return Axis(name, tuple(lines.values()))


def is_range(requirement: Requirement) -> bool:
    """Whether a requirement leaves several release lines: `torch>=2.6`, but neither `torch` nor `torch==2.6.*`."""
    operators = {clause.operator for clause in SpecifierSet(requirement.specifier)}
    return bool(operators) and operators.isdisjoint(("==", "==="))
