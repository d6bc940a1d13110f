"""Pastes in files: each is traced to its kind, says what it has to, and prints only commands that can be run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from compatsolver.model.diagnosis import COMPATIBLE, ERROR, INCOMPATIBLE, UNDETERMINED, WARNING
from compatsolver.observation.pasted.report_keys import on_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis

FILES = sorted((Path(__file__).parents[1] / "cases/incidents").glob("*.yaml"))
CASES = [(path.stem, case) for path in FILES for case in yaml.safe_load(path.read_text(encoding="utf-8"))]
PIP_INSTALL = re.compile(r"\bpip install ([^&|;]+)")
NAME = re.compile(r"[A-Za-z][\w.-]*(?=[\[<>=!~]|$)")


@pytest.mark.parametrize(("group", "case"), CASES, ids=[f"{group}-{case['text'][:40]}" for group, case in CASES])
def test_an_incident_is_explained(group: str, case: dict[str, Any], explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(case["text"], **case.get("environment", {}))
    errors = [finding.kind for finding in diagnosis.findings if finding.severity == ERROR]
    if group == "sound":
        alarms = [finding for finding in diagnosis.findings if finding.severity in (ERROR, WARNING)]
        assert (diagnosis.verdict, alarms) == (COMPATIBLE, [])
        return
    if group == "open":
        assert (diagnosis.verdict, errors) == (UNDETERMINED, [])
        return
    assert diagnosis.verdict == INCOMPATIBLE
    assert [kind in case["kinds"] for kind in errors] == [True], errors
    told = json.dumps(diagnosis.to_dict()["findings"], ensure_ascii=False).lower()
    assert [text for text in case.get("mentions", ()) if text.lower() not in told] == []


def test_commands_name_only_packages_that_an_index_has(catalog: Catalog, explained: Callable[..., Diagnosis]) -> None:
    written = json.dumps(catalog.diagnosis["symptoms"])
    listed = {component.name for component in catalog.components.values() if component.kind == "package"}
    for _, case in CASES:
        for name in _installed(explained(case["text"], **case.get("environment", {}))):
            assert name in listed or on_index(name) or re.search(rf"pip install [^&|;\"]*{re.escape(name)}\b", written)


def _installed(diagnosis: Diagnosis) -> Iterator[str]:
    for finding in diagnosis.findings:
        for fix in finding.fixes:
            assert "…" not in (fix.command or "")
            for arguments in PIP_INSTALL.findall(fix.command or ""):
                words = arguments.replace("'", " ").split()
                yield from (match[0] for word in words if (match := NAME.match(word)))


@pytest.mark.parametrize("name", ["apex", "detectron2", "cudatoolkit", "cudnn", "nvidia", "nccl"])
def test_what_no_index_has_is_not_installed_from_one(name: str) -> None:
    assert not on_index(name)
