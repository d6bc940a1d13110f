"""What is known of one subject: its fields, each with how well it is known and where that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "compatsolver.facts/1"
UNKNOWN = "unknown"


class Known(NamedTuple):
    """The value of a field, null where nobody knows it, with its evidence and its sources in words."""

    value: Any
    evidence: str | None = None
    sources: tuple[str, ...] = ()


class Facts(NamedTuple):
    """A subject as it was understood, its fields in the order to show them, and what is to be said beside them."""

    subject: str
    catalog: Mapping[str, Any]
    fields: Mapping[str, Known]
    notes: tuple[str, ...] = ()

    @property
    def exists(self) -> bool | str:
        """Whether the subject exists; `unknown` where the catalogue cannot tell."""
        value: bool | str = self.fields["exists"].value
        return value

    def to_dict(self) -> dict[str, Any]:
        """The document `compatsolver.facts/1`."""
        return {
            "schema": SCHEMA,
            "subject": self.subject,
            "catalog": dict(self.catalog),
            **{name: known.value for name, known in self.fields.items()},
            "evidence": {name: known.evidence for name, known in self.fields.items() if known.evidence},
            "sources": {name: list(known.sources) for name, known in self.fields.items() if known.sources},
            "notes": list(self.notes),
        }
