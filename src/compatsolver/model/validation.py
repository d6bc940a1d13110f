"""What a validation found: one result a check, what the catalogue did not predict, and whether a GPU is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.diagnosis import Diagnosis

SCHEMA = "compatsolver.validation/1"
DEVICES = ("auto", "cuda", "cpu")
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
COMPLETED = "exit code 0"
"""How a process ends that gave its result, whatever that is."""
GPU_RUN = "gpu-run"
"""The evidence of a fact that a GPU has shown."""

_NOTHING: Mapping[str, Any] = {}


class CheckResult(NamedTuple):
    """What one check came to. `problems` are sentences, empty unless it failed; `skipped` is why it was not run.

    `ended` says how its process ended, `seconds` is the wall time with the start of the interpreter, `output` the end
    of what a failed one printed. `diagnosis` is what `explain` makes of the failure.
    """

    name: str
    title: str
    status: str
    seconds: float = 0.0
    ended: str = ""
    numbers: Mapping[str, Any] = _NOTHING
    problems: tuple[str, ...] = ()
    skipped: str | None = None
    output: str = ""
    diagnosis: Diagnosis | None = None

    @property
    def is_broken(self) -> bool:
        """Whether it gave no result of its own: it crashed, hung or was ended."""
        return self.status == FAILED and self.ended != COMPLETED

    def to_dict(self) -> dict[str, Any]:
        """The result in the published order of keys."""
        return self._asdict() | {
            "numbers": dict(self.numbers),
            "problems": list(self.problems),
            "diagnosis": self.diagnosis and self.diagnosis.to_dict(),
        }


class ProposedFact(NamedTuple):
    """What the catalogue predicts of a build and what was found instead. `evidence` is None without a GPU."""

    subject: str
    fact: str
    predicted: str
    found: str
    evidence: str | None


class ValidationReport(NamedTuple):
    """All results. `confirmed` is true where a GPU computed all that could be asked of it; `because` says why not.

    `environment` is what was validated, `catalog` what it was compared with, and `lock` the name and SHA-256 of the
    lock. `date` is the day, ISO 8601, UTC.
    """

    status: str
    device: str
    confirmed: bool
    because: tuple[str, ...]
    date: str
    catalog: Mapping[str, Any]
    lock: Mapping[str, str] | None
    environment: Mapping[str, Any]
    checks: tuple[CheckResult, ...]
    proposed: tuple[ProposedFact, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status == FAILED)

    def to_dict(self) -> dict[str, Any]:
        """The document of `docs/schema/validation.schema.json`."""
        return {
            "schema": SCHEMA,
            "status": self.status,
            "device": self.device,
            "confirmed": self.confirmed,
            "because": list(self.because),
            "date": self.date,
            "catalog": dict(self.catalog),
            "lock": self.lock and dict(self.lock),
            "environment": dict(self.environment),
            "checks": [check.to_dict() for check in self.checks],
            "proposed_facts": [fact._asdict() for fact in self.proposed],
            "notes": list(self.notes),
        }
