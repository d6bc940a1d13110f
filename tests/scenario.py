"""Scenarios: a request asked, and what was expected compared with what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

import compatsolver
from compatsolver.errors import CompatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from compatsolver.model.resolution import Resolution

DEFAULTS = {"platform": "linux-x86_64", "python": "3.12", "glibc": "2.35"}
SUBJECT = frozenset(("subject", "platform"))
REQUEST = frozenset(("gpu", "driver", "python", "platform", "glibc", "wsl", "cuda", "requires", "policy", "profile"))
PYTORCH_INDEX = "https://download.pytorch.org/whl/"


class WrongAnswerError(Exception):
    """The answer is not the one that the case expects."""


@dataclass(frozen=True)
class Refused:
    """A request that was not answered."""

    error: CompatError

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}"


@dataclass(frozen=True)
class Told:
    """What is known of a subject."""

    document: Mapping[str, Any]

    def __str__(self) -> str:
        return yaml.safe_dump(dict(self.document), sort_keys=False, width=120)


@dataclass(frozen=True)
class Answered:
    """An answer, whatever its verdict."""

    plan: Resolution

    def __str__(self) -> str:
        return yaml.safe_dump(self.plan.to_dict(), sort_keys=False, width=120)


Answer = Answered | Told | Refused


def ask(request: Mapping[str, Any], catalog: Path | None = None) -> Answer:
    """The answer to a request; what it leaves out is as in DEFAULTS, not as on this machine."""
    if "subject" in request:
        return _told(request, catalog)
    if strangers := request.keys() - REQUEST:
        raise WrongAnswerError(f"a request has no {', '.join(sorted(strangers))}")
    platform = request.get("platform", DEFAULTS["platform"])
    axes = {axis: value for axis, value in DEFAULTS.items() if axis != "glibc" or platform.startswith("linux")}
    try:
        return Answered(compatsolver.plan(catalog=catalog, **(axes | dict(request))))
    except CompatError as error:
        return Refused(error)


def _told(request: Mapping[str, Any], catalog: Path | None) -> Told:
    if strangers := request.keys() - SUBJECT:
        raise WrongAnswerError(f"a request on a subject has no {', '.join(sorted(strangers))}")
    platform = request.get("platform", DEFAULTS["platform"])
    return Told(compatsolver.facts(request["subject"], platform=platform, catalog=catalog).to_dict())


def differences(expect: Mapping[str, Any], answer: Answer) -> Iterator[str]:
    """What was expected and is not so, one line each; of a subject some of its facts are expected."""
    if isinstance(answer, Told):
        yield from (
            f"{key}: expected {wanted!r}, found {found!r}"
            for key, wanted in expect.items()
            if not _includes(found := _fact(answer.document, key), wanted)
        )
        return
    for key, wanted in expect.items():
        if key == "facts_at_most":
            continue
        if key not in FOUND:
            yield f"a case cannot expect {key!r}"
            continue
        found = FOUND[key](answer)
        if key.endswith("_contains"):
            for text in [wanted] if isinstance(wanted, str) else wanted:
                if text not in found:
                    yield f"{key}: expected {text!r} in {found!r}"
        elif key == "pins":
            yield from (f"pins: expected {n} {v}, found {found.get(n)}" for n, v in wanted.items() if found.get(n) != v)
        elif found != wanted:
            yield f"{key}: expected {wanted!r}, found {found!r}"
    if "verdict" not in expect and "error" not in expect:
        yield "a case expects a verdict or an error"


def _fact(document: Mapping[str, Any], key: str) -> Any:
    """A fact by its key; of a release the builds of each platform by their names."""
    if key != "builds":
        return document.get(key)
    return {
        platform: [row["build"] for row in rows if row["published"] in ("yes", "build-matrix")]
        for platform, rows in document["builds"].items()
    }


def _includes(found: Any, wanted: Any) -> bool:
    """Whether a fact is as it is wanted; a mapping may say more."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(_includes(found.get(key), value) for key, value in wanted.items())
    return bool(found == wanted)


def ill_told(answer: Answer, most_facts: int) -> Iterator[str]:
    """What no answer may be, whatever was asked."""
    if not isinstance(answer, Answered):
        return
    for conflict in answer.plan.conflicts:
        statements = [fact.statement for fact in conflict.because]
        if not 1 <= len(statements) <= most_facts:
            yield f"a conflict is told by {len(statements)} facts, not by 1 to {most_facts}"
        if len(set(statements)) < len(statements):
            yield "a conflict tells the same fact twice"
    has_commands = bool(answer.plan.commands) or any("no command is shown" in note for note in answer.plan.notes)
    if (answer.plan.verdict == "resolved") != bool(answer.plan.pins and has_commands):
        yield "pins and commands belong to plans, and to plans only"
    if answer.plan.verdict == "undetermined" and not answer.plan.missing:
        yield "an undetermined answer names no missing fact"


def _plan(answer: Answered | Refused) -> Resolution:
    if isinstance(answer, Refused):
        raise WrongAnswerError(f"expected an answer, found {answer}")
    return answer.plan


def _torch(answer: Answered | Refused) -> Any:
    plan = _plan(answer)
    if not plan.pins:
        raise WrongAnswerError(f"expected a plan, found {answer}")
    return plan.torch


def _index(answer: Answered | Refused) -> str:
    index = _torch(answer).index
    if index is None:
        return "default"
    return "pytorch" if index.startswith(PYTORCH_INDEX) else index


def _error(answer: Answered | Refused) -> str | None:
    return type(answer.error).__name__ if isinstance(answer, Refused) else None


def _exit(answer: Answered | Refused) -> int:
    if isinstance(answer, Refused):
        return answer.error.exit_code
    return {"resolved": 0, "conflict": 1, "undetermined": 3}[answer.plan.verdict]


def _conflict_words(answer: Answered | Refused) -> str:
    parts = [(c.summary, *c.assumptions, *(fact.statement for fact in c.because)) for c in _plan(answer).conflicts]
    return "\n".join(line for part in parts for line in part)


FOUND: dict[str, Callable[[Answered | Refused], Any]] = {
    "verdict": lambda answer: _plan(answer).verdict,
    "torch": lambda answer: _torch(answer).version,
    "build": lambda answer: _torch(answer).build,
    "index": _index,
    "pins": lambda answer: {pin.name: pin.version for pin in _plan(answer).pins},
    "cuda": lambda answer: _plan(answer).runtime.cuda,
    "cudnn_contains": lambda answer: _plan(answer).runtime.cudnn or "",
    "kinds": lambda answer: [conflict.kind for conflict in _plan(answer).conflicts],
    "notes": lambda answer: list(_plan(answer).notes),
    "note_contains": lambda answer: "\n".join(_plan(answer).notes),
    "conditions": lambda answer: list(_plan(answer).conditions),
    "condition_contains": lambda answer: "\n".join(_plan(answer).conditions),
    "conflict_contains": _conflict_words,
    "missing_contains": lambda answer: "\n".join(f"{m.fact}: {m.why}; {m.how}" for m in _plan(answer).missing),
    "error": _error,
    "exit": _exit,
    "message_contains": lambda answer: str(answer) if isinstance(answer, Refused) else "",
}
