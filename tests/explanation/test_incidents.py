"""What people paste is traced to its cause, with a fix that changes the right thing; sound stacks stay quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.model.diagnosis import COMPATIBLE, ERROR, INCOMPATIBLE, UNDETERMINED, WARNING
from incidents import INCIDENTS, Incident

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.diagnosis import Diagnosis

FAULTS = [incident for incident in INCIDENTS if incident.kinds not in (("none",), ("insufficient",))]
SOUND = [incident for incident in INCIDENTS if incident.kinds == ("none",)]
OPEN = [incident for incident in INCIDENTS if incident.kinds == ("insufficient",)]


def _name(incident: Incident) -> str:
    return f"{incident.kinds[0]}-{incident.text[:40]}"


@pytest.mark.parametrize("incident", FAULTS, ids=_name)
def test_the_cause_comes_first_and_alone(incident: Incident, explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(incident.text, **incident.environment)
    errors = [finding for finding in diagnosis.findings if finding.severity == ERROR]
    assert diagnosis.verdict == INCOMPATIBLE
    assert [finding.kind in incident.kinds for finding in errors] == [True]
    assert diagnosis.findings[0] is errors[0]
    assert errors[0].because
    assert 1 <= len(errors[0].fixes) <= 5
    assert incident.fix is None or incident.fix in {fix.change for fix in errors[0].fixes}


@pytest.mark.parametrize("incident", SOUND, ids=_name)
def test_a_sound_stack_stays_quiet(incident: Incident, explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(incident.text, **incident.environment)
    assert diagnosis.verdict == COMPATIBLE
    assert not [finding for finding in diagnosis.findings if finding.severity in (ERROR, WARNING)]


@pytest.mark.parametrize("incident", OPEN, ids=_name)
def test_what_would_decide_is_asked_for(incident: Incident, explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(incident.text, **incident.environment)
    assert diagnosis.verdict == UNDETERMINED
    assert not [finding for finding in diagnosis.findings if finding.severity == ERROR]
    assert all(missing.fact and missing.how for missing in diagnosis.missing)
    assert diagnosis.missing
