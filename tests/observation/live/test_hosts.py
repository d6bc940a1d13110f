"""Every recorded host, read by the code that reads a user's machine."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

import compatsolver
from compatsolver.errors import ProbeError
from compatsolver.model.component import NONE
from compatsolver.model.diagnosis import ERROR, INCOMPATIBLE
from compatsolver.model.observation import AXES, PACKAGE
from compatsolver.model.resolution import UNDETERMINED
from compatsolver.observation.environment import read_environment
from compatsolver.observation.live.collect import probe, probe_target
from compatsolver.observation.redaction import shareable
from process import ROOT
from recorded import build, hosts

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.model.environment import Environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the recorded programs are shell scripts")

HOSTS = hosts()
SCHEMA = json.loads((ROOT / "docs/schema/environment.schema.json").read_text(encoding="utf-8"))
SLOW = {name for name, host in HOSTS.items() if "hangs" in name}


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Environment]:
    """Each host, probed once."""
    return {name: probe(build(host, tmp_path_factory.mktemp(name))) for name, host in HOSTS.items()}


@pytest.mark.parametrize("name", HOSTS)
def test_document(environments: dict[str, Environment], name: str) -> None:
    document = environments[name].to_dict()
    expected: dict[str, Any] = HOSTS[name]["expect"]["document"]
    assert {key: document.get(key) for key in expected} == expected


@pytest.mark.parametrize("name", HOSTS)
def test_the_document_follows_its_schema(environments: dict[str, Environment], name: str) -> None:
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(environments[name].to_dict())
    assert [error.message for error in errors] == []


@pytest.mark.parametrize("name", HOSTS)
def test_every_axis_is_in_the_list(environments: dict[str, Environment], name: str) -> None:
    axes = {row.axis for row in environments[name].observed if not row.axis.startswith(PACKAGE)}
    assert axes <= AXES.keys()


@pytest.mark.parametrize("name", HOSTS)
def test_every_fact_says_how_it_was_got(environments: dict[str, Environment], name: str) -> None:
    rows = environments[name].observed
    assert all(row.how for row in rows)
    told: dict[str, str | None] = {}
    for row in rows:
        if told.get(row.axis) in (None, NONE):
            told[row.axis] = row.value or told.get(row.axis)
    expected = HOSTS[name]["expect"].get("observed", {})
    assert {axis: told[axis] for axis in expected} == expected


@pytest.mark.parametrize("name", HOSTS)
def test_findings(environments: dict[str, Environment], name: str) -> None:
    expected = HOSTS[name]["expect"]
    findings = environments[name].findings
    assert [finding.kind for finding in findings] == expected["findings"]
    if "severities" in expected:
        assert [finding.severity for finding in findings] == expected["severities"]


@pytest.mark.parametrize("name", [name for name, host in HOSTS.items() if "slices" in host["expect"]])
def test_slices(environments: dict[str, Environment], name: str) -> None:
    assert [list(device.slices) for device in environments[name].devices] == HOSTS[name]["expect"]["slices"]


@pytest.mark.parametrize("name", HOSTS)
def test_a_document_read_again_is_the_same(environments: dict[str, Environment], name: str) -> None:
    environment = environments[name]
    again = read_environment(json.dumps(environment.to_dict()), "probe.json")
    assert again._replace(not_understood=()) == environment._replace(not_understood=())
    assert set(environment.not_understood) <= set(again.not_understood)


@pytest.mark.parametrize("name", HOSTS)
def test_a_shared_document_tells_nothing_of_its_owner(environments: dict[str, Environment], name: str) -> None:
    environment = environments[name]
    shared = shareable(environment)
    text = json.dumps(shared.to_dict())
    assert not [word for word in ("/ada", "secret", "GPU-1111", "hf_") if word in text]
    assert (shared.gpu, shared.driver, shared.wsl) == (environment.gpu, environment.driver, environment.wsl)
    assert [finding.kind for finding in shared.findings] == [finding.kind for finding in environment.findings]


@pytest.mark.parametrize("name", [name for name in HOSTS if name not in SLOW])
def test_target(tmp_path: Path, name: str) -> None:
    """A plan needs the GPU: unknown is refused, none is an answer."""
    host = HOSTS[name]
    machine = build(host, tmp_path)
    document = host["expect"]["document"]
    if document["gpu"] is None:
        with pytest.raises(ProbeError, match="could not be read"):
            probe_target(machine)
        return
    environment = probe_target(machine)
    assert environment.gpu == tuple(document["gpu"])
    remark = host["expect"].get("remark")
    assert bool(environment.not_understood) is bool(remark)
    assert not remark or remark in " ".join(environment.not_understood)


@pytest.mark.parametrize("name", HOSTS)
def test_every_command_takes_the_document(environments: dict[str, Environment], name: str) -> None:
    """A fault of the machine is a diagnosis; a GPU that is not known leaves a plan undetermined."""
    environment = environments[name]
    diagnosis = compatsolver.explain(environment=environment)
    faults = {finding.kind for finding in environment.findings if finding.severity == ERROR}
    assert faults <= {finding.kind for finding in diagnosis.findings}
    assert (diagnosis.verdict == INCOMPATIBLE) >= bool(faults)
    plan = compatsolver.plan(environment=environment)
    assert environment.gpu is not None or plan.verdict == UNDETERMINED


def test_nothing_more_is_asked_of_a_driver_that_hangs(tmp_path: Path) -> None:
    machine = build(HOSTS["driver-hangs"], tmp_path)
    start = time.monotonic()
    environment = probe(machine)
    assert time.monotonic() - start < 8
    asked = [row.how for row in environment.observed if row.axis == "gpu"]
    assert "NVML: no answer within 2 s" in asked
    assert not [how for how in asked if how.startswith("nvidia-smi")]


def test_a_library_that_crashes_does_not_take_the_probe_along(environments: dict[str, Environment]) -> None:
    rows = environments["nvml-crashes"].observed
    assert [row.how for row in rows if row.axis == "gpu" and row.value is None] == ["NVML: exit status -11"]


def test_there_are_enough_hosts() -> None:
    assert len(HOSTS) >= 15
    assert all(host["about"].endswith(".") for host in HOSTS.values())
