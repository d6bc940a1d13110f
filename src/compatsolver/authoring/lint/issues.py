"""Known issues: they concern components and hosts there are, some release has them, and a plan can tell them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.pairs import released
from compatsolver.authoring.lint.problem import Finding, Lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import Tables


def issue_component(tables: Tables) -> Iterator[Finding]:
    """An issue is about a component, beside others, on hosts that all exist: else nobody would be shown it."""
    components = {row.name for row in tables.components}
    hosts = {value for row in tables.components if row.name == "platform" for value in row.values or ()}
    for row in tables.issues:
        strangers = sorted({row.component, *row.beside} - components)
        strangers += sorted({*(row.platforms or ())} - hosts)
        if strangers:
            yield Finding(row, f"{row.id} names {', '.join(strangers)}", "name a component or a platform of it")


def issue_concerns_a_release(tables: Tables) -> Iterator[Finding]:
    """Some release that is listed has the issue, unless the component's releases are not listed."""
    known = released(tables)
    for row in tables.issues:
        if row.versions is not None and row.component in known:
            specifier = SpecifierSet(row.versions)
            if not any(specifier.contains(version, True) for version in known[row.component]):
                message = f"{row.id}: {row.component} has no release {row.versions}"
                yield Finding(row, message, "correct the versions, or remove the issue")


def issue_can_be_told(tables: Tables) -> Iterator[Finding]:
    """Plans tell of what concerns their torch build; what it stands beside is for rules."""
    for row in tables.issues:
        if row.told and (row.component != "torch" or row.beside):
            yield Finding(row, f"{row.id} is told and not about torch alone", "write `told` for torch issues only")


def issues_sorted(tables: Tables) -> Iterator[Finding]:
    """Issues stand by their id, each once."""
    for before, row in pairwise(tables.issues):
        if row.id <= before.id:
            yield Finding(row, f"{row.id} stands after {before.id}", "keep ids in order, each once")


LINTS: tuple[Lint, ...] = (issue_component, issue_concerns_a_release, issue_can_be_told, issues_sorted)
