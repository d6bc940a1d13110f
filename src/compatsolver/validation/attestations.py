"""Reports kept as evidence: what a GPU has shown, reduced to what matters to others, and the check of such files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from compatsolver.model.validation import FAILED, PASSED, SKIPPED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from compatsolver.model.validation import ValidationReport

SCHEMA = "compatsolver.attestation/1"
PACKAGES = ("accelerate", "bitsandbytes", "numpy", "peft", "torch", "transformers", "triton")
_NVIDIA = "nvidia-"
_KEYS: dict[str, Any] = {
    "schema": str,
    "date": str,
    "confirmed": bool,
    "catalog": dict,
    "gpus": list,
    "driver": str,
    "system": str,
    "machine": str,
    "glibc": (str, type(None)),
    "python": str,
    "torch": dict,
    "packages": dict,
    "checks": list,
    "proposed_facts": list,
}
_PRIVATE = re.compile(r"(?i)(?:/home/|/root\b|/Users/|C:\\Users|GPU-[0-9a-f]{8}-|\b\d{1,3}(?:\.\d{1,3}){3}:\d+)")


def attestation_of(report: ValidationReport) -> dict[str, Any]:
    """The parts of a report that others can use; no path, no name of a host, no output."""
    environment = report.environment
    packages = {name: version for name, version in environment["packages"].items() if _matters(name)}
    return {
        "schema": SCHEMA,
        "date": report.date,
        "confirmed": report.confirmed,
        "catalog": {key: report.catalog[key] for key in ("version", "digest")},
        "gpus": [dict(gpu) for gpu in environment["gpus"]],
        **{key: environment[key] for key in ("driver", "system", "machine", "glibc", "python")},
        "torch": dict(environment["torch"] or {}),
        "packages": packages,
        "checks": [
            {"name": check.name, "status": check.status, "seconds": check.seconds, "numbers": _public(check.numbers)}
            for check in report.checks
        ],
        "proposed_facts": [fact._asdict() for fact in report.proposed],
    }


def _matters(name: str) -> bool:
    return name in PACKAGES or name.startswith(_NVIDIA)


def _public(numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in numbers.items() if key not in ("executable", "packages")}


def problems_in(folder: Path) -> list[str]:
    """What is wrong with the attestations of a folder, one line each; nothing where it has none."""
    return [problem for path in sorted(folder.glob("*.json")) for problem in _problems(path)]


def _problems(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        document = json.loads(text)
    except ValueError as error:
        yield f"{path.name}: no JSON: {error}"
        return
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        yield f"{path.name}: the schema is not {SCHEMA}"
        return
    wrong = [key for key, kind in _KEYS.items() if not isinstance(document.get(key), kind)]
    if wrong or document.keys() != _KEYS.keys():
        told = wrong or sorted(document.keys() ^ _KEYS.keys())
        yield f"{path.name}: not as validate --attestation writes it: {', '.join(told)}"
        return
    if private := _PRIVATE.search(text):
        yield f"{path.name}: {private[0]!r} tells something of its host; remove it"
    yield from (f"{path.name}: {problem}" for problem in _inconsistencies(document))


def _inconsistencies(document: Mapping[str, Any]) -> Iterator[str]:
    """Evidence is what a GPU did: without a GPU or with a failure there is nothing to attest."""
    if not document["gpus"]:
        yield "no GPU computed anything, so it is no evidence"
    if not document["confirmed"]:
        yield "it confirms nothing"
    states = {check.get("status") for check in document["checks"]}
    if FAILED in states or PASSED not in states or states - {PASSED, SKIPPED, FAILED}:
        yield "its checks did not all pass"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", document["date"]):
        yield f"the date {document['date']!r} is not a day"
