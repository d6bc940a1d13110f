"""Rules as the catalogue file keeps them: what the search needs of them apart from the words and the sources."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from compatsolver.model.rule import Kind, Literal, Rule, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NamedClause = tuple[str, "str | None", list[tuple[str, int]]]
"""The id of a rule, its extra, and its literals as component and set of candidates."""

_KINDS = {kind.value: kind for kind in Kind}


class RuleTable:
    """The rules of one library: clauses at once, which every plan needs, whole rules when one is asked for."""

    def __init__(self, clauses: Sequence[NamedClause], whole: Callable[[], tuple[Rule, ...]]) -> None:
        self.clauses = clauses
        self._whole = whole

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, in the order of the clauses."""
        return self._whole()


def clauses_of(rows: list[Any]) -> list[NamedClause]:
    """Clauses from their stored form."""
    return [
        (identifier, extra, [(component, int(allowed, 16)) for component, allowed in literals])
        for identifier, extra, literals in rows
    ]


def rules_of(clauses: Sequence[NamedClause], facts: list[Any]) -> tuple[Rule, ...]:
    """Rules from their clauses and the other facts, in their stored form."""
    return tuple([_rule(clause, row) for clause, row in zip(clauses, facts, strict=True)])


def _rule(clause: NamedClause, facts: list[Any]) -> Rule:
    identifier, extra, literals = clause
    kind, evidence, column, sources, unknown, avoid = facts
    return Rule(
        identifier,
        _KINDS[kind],
        tuple([Literal(component, allowed) for component, allowed in literals]),
        evidence,
        tuple(sources),
        column,
        Unknown(*unknown) if unknown else None,
        avoid,
        extra,
    )
