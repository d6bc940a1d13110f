"""A diagnosis as GitHub workflow commands: one annotation a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.diagnosis import ERROR, INFO
from compatsolver.render import diagnosis_words as words

if TYPE_CHECKING:
    from compatsolver.model.diagnosis import Diagnosis, Finding

_COMMANDS = {INFO: "notice"}


def github_annotations(diagnosis: Diagnosis) -> str:
    """One line a finding or missing fact, and a notice where nothing is wrong."""
    lines = [_finding(finding) for finding in diagnosis.findings]
    lines += [_command("warning", "fact missing", f"{m.fact}: {m.why}; {m.how}") for m in diagnosis.missing]
    lines += [_command(ERROR, "drift", text) for text in words.drift(diagnosis)]
    return "\n".join(lines or [_command("notice", "compatsolver", words.headline(diagnosis))]) + "\n"


def _finding(finding: Finding) -> str:
    fixes = [fix.action for fix in finding.fixes[:1]] if finding.severity == ERROR else []
    text = "\n".join(
        [words.sentence(finding.summary), *(f"fix: {action}" for action in fixes), words.kind_hint(finding)]
    )
    return _command(_COMMANDS.get(finding.severity, finding.severity), finding.code, text)


def _command(name: str, title: str, text: str) -> str:
    """A workflow command; per cent signs and line ends are escaped as the runner reads them."""
    return f"::{name} title={_property(title)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
