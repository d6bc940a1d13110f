"""What is diagnosed: findings with both sides of what is broken, the facts between them, and fixes that were solved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.model.fix import Fix, fix_documents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.resolution import Because, Missing

SCHEMA = "compatsolver.diagnosis/1"
COMPATIBLE, INCOMPATIBLE, UNDETERMINED = "compatible", "incompatible", "undetermined"
ERROR, WARNING, INFO = "error", "warning", "info"
CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
NONE_BROKEN = "none"
"""The kind of a finding that says that the stack is not at fault."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One broken constraint: what is required, what was found, why, and what mends it.

    `not_enough` are sentences about obvious changes that would not mend it, `consequences` what else was seen that
    follows from it.
    """

    kind: str
    severity: str
    confidence: str
    summary: str
    requires: str = ""
    found: str = ""
    because: tuple[Because, ...] = ()
    fixes: tuple[Fix, ...] = ()
    not_enough: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The kind as it is spelled in links and flags."""
        return self.kind.replace("_", "-")

    def to_dict(self) -> dict[str, Any]:
        """The finding in the published order of keys."""
        return {
            "code": self.code,
            "kind": self.kind,
            "severity": self.severity,
            "confidence": self.confidence,
            "summary": self.summary,
            "requires": self.requires,
            "found": self.found,
            "because": [fact._asdict() | {"sources": list(fact.sources)} for fact in self.because],
            "fixes": fix_documents(self.fixes),
            "not_enough": list(self.not_enough),
            "consequences": list(self.consequences),
        }


class Drift(NamedTuple):
    """A package whose version in an environment is not the locked one; `found` is None where it is missing."""

    package: str
    locked: str
    found: str | None


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """The answer to a paste or an environment; findings stand in order of cause, the root first.

    `drift` is where an environment departs from its lock, `notes` are what else there is to know of the lock.
    """

    verdict: str
    catalog: Mapping[str, str]
    read: Mapping[str, Any] = field(default_factory=dict)
    contradictions: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[Missing, ...] = ()
    not_understood: tuple[str, ...] = ()
    drift: tuple[Drift, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The diagnosis document of `docs/schema/diagnosis.schema.json`, in the published order."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "catalog": dict(self.catalog),
            "read": dict(self.read),
            "contradictions": list(self.contradictions),
            "findings": [finding.to_dict() for finding in self.findings],
            "missing": [missing._asdict() for missing in self.missing],
            "not_understood": list(self.not_understood),
            "drift": [entry._asdict() for entry in self.drift],
            "notes": list(self.notes),
        }
