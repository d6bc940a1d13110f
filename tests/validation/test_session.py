"""Validations of small environments: what fails is diagnosed, the rest goes on, and a CPU confirms nothing."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.errors import InputError
from compatsolver.model.validation import FAILED, PASSED, SKIPPED, CheckResult, ValidationReport
from compatsolver.validation.session import Order, doubts, validated
from compatsolver.validation.suite import SUITE, Check
from validation.environments import CPU_BUILD, FAULTS, environment

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="environments and signals as Linux has them")
DAY = "2026-11-30"
CUDA_BUILD: dict[str, object] = {
    "version": "2.13.0+cu130",
    "cuda": "13.0",
    "available": True,
    "archs": ["sm_75", "sm_80"],
    "nccl": (2, 29, 7),
    "cudnn": 92000,
}
LOCKED = {"torch": "2.13.0", "peft": "0.18.0", "colorama": "0.4.6"}


def lock_of(packages: dict[str, str]) -> str:
    """A lock of packages by version, `colorama` for Windows alone."""
    lines = ['lock-version = "1.0"', 'created-by = "a test"']
    for name, version in packages.items():
        wheel = f'{{url = "https://example.org/{name}-{version}-py3-none-any.whl", hashes = {{sha256 = "{"0" * 64}"}}}}'
        lines += ["[[packages]]", f'name = "{name}"', f'version = "{version}"', f"wheels = [{wheel}]"]
        lines += ["marker = \"sys_platform == 'win32'\""] if name == "colorama" else []
    return "\n".join(lines) + "\n"


def fault(function: str, **columns: Any) -> Check:
    return Check(function, function, str(FAULTS), function, **columns)


def results(report: ValidationReport) -> dict[str, CheckResult]:
    return {check.name: check for check in report.checks}


@pytest.fixture(scope="module")
def cpu(tmp_path_factory: pytest.TempPathFactory) -> str:
    packages = {"torch": "2.13.0+cpu", "transformers": "5.0.0"}
    return environment(tmp_path_factory.mktemp("cpu"), packages, CPU_BUILD)


def test_one_check_that_crashes_or_hangs_keeps_none_from_running(catalog: Catalog, cpu: str) -> None:
    suite = (fault("segfault"), fault("hang", seconds=1), fault("wrong"), fault("fine"))
    report = validated(catalog, Order(DAY, cpu, "cpu"), suite=suite)
    found = results(report)
    assert [found[check.name].status for check in suite] == [FAILED, FAILED, FAILED, PASSED]
    assert [found[check.name].is_broken for check in suite] == [True, True, False, False]
    assert report.status == FAILED
    assert not report.confirmed


def test_a_library_that_is_absent_skips_what_needs_it(catalog: Catalog, cpu: str) -> None:
    report = validated(catalog, Order(DAY, cpu, "cpu"), suite=(fault("needs_peft", packages=("peft",)),))
    assert results(report)["needs_peft"].skipped == "peft is not installed"
    assert report.status == PASSED


def test_torch_without_cuda_is_diagnosed_where_a_gpu_is_wanted(catalog: Catalog, cpu: str) -> None:
    report = validated(catalog, Order(DAY, cpu, "cuda", only=("devices",)))
    devices = results(report)["devices"]
    assert devices.problems == ("AssertionError: Torch not compiled with CUDA enabled",)
    assert devices.diagnosis is not None
    assert devices.diagnosis.findings[0].kind == "cpu_only_build"


def test_another_cudnn_is_diagnosed(catalog: Catalog, cpu: str) -> None:
    report = validated(catalog, Order(DAY, cpu, "cpu"), suite=(fault("cudnn"),))
    diagnosis = results(report)["cudnn"].diagnosis
    assert diagnosis is not None
    assert diagnosis.findings[0].kind == "cudnn_version"


def test_an_environment_is_held_against_its_lock(catalog: Catalog, cpu: str, tmp_path: Path) -> None:
    lock = tmp_path / "pylock.toml"
    lock.write_text(lock_of(LOCKED), encoding="utf-8")
    report = validated(catalog, Order(DAY, cpu, "cpu", lock), suite=())
    assert results(report)["identity"].problems == ("peft 0.18.0 is in the lock and is not installed",)
    assert report.lock == {"file": "pylock.toml", "digest": hashlib.sha256(lock.read_bytes()).hexdigest()}
    lock.write_text(lock_of({"torch": "2.13.0+cu130"}), encoding="utf-8")
    report = validated(catalog, Order(DAY, cpu, "cpu", lock), suite=())
    assert results(report)["identity"].problems == ("torch is 2.13.0+cpu, the lock has 2.13.0+cu130",)


def test_what_the_catalogue_did_not_predict_is_proposed(catalog: Catalog, tmp_path: Path) -> None:
    python = environment(tmp_path, {"torch": "2.13.0+cu130"}, {**CUDA_BUILD, "nccl": (2, 99, 0)})
    report = validated(catalog, Order(DAY, python, "cpu"), suite=())
    proposed = {fact.fact: fact for fact in report.proposed}
    assert proposed["nccl"].predicted == "2.29.7"
    assert proposed["nccl"].found == "2.99.0"
    assert proposed["archs"].found == "sm_75 sm_80"
    assert {fact.evidence for fact in report.proposed} == {None}
    assert not {"cuda", "cudnn"} & proposed.keys()


def test_time_for_all_checks_skips_those_that_it_does_not_reach(catalog: Catalog, cpu: str) -> None:
    suite = (fault("fine"), fault("hang"), fault("wrong"))
    report = validated(catalog, Order(DAY, cpu, "cpu", within=2), suite=suite)
    assert [check.status for check in report.checks[1:]] == [PASSED, SKIPPED, SKIPPED]
    assert {check.skipped for check in report.checks[2:]} == {"the time for all checks is spent"}


def test_without_torch_nothing_else_is_tried(catalog: Catalog, tmp_path: Path) -> None:
    report = validated(catalog, Order(DAY, environment(tmp_path, {}), "cpu"))
    assert {check.status for check in report.checks[1:]} == {SKIPPED}
    assert "compatsolver resolve" in report.notes[0]


def test_a_gpu_is_confirmed_by_checks_that_pass_on_it(catalog: Catalog, tmp_path: Path) -> None:
    python = environment(tmp_path, {"torch": "2.13.0+cu130"}, CUDA_BUILD)
    passing = validated(catalog, Order(DAY, python), suite=(fault("fine"),))
    assert (passing.device, passing.confirmed, passing.because) == ("cuda", True, ())
    skipping = validated(catalog, Order(DAY, python), suite=(fault("needs_peft", packages=("peft",)),))
    assert skipping.because == ("not run: needs_peft",)


@given(st.lists(st.sampled_from([PASSED, FAILED, SKIPPED]), min_size=len(SUITE), max_size=len(SUITE)))
def test_a_cpu_never_confirms_and_a_failure_never_does(states: list[str]) -> None:
    found = [CheckResult(check.name, check.title, state) for check, state in zip(SUITE, states, strict=True)]
    assert list(doubts(found, "cpu", Order(DAY), SUITE))
    if FAILED in states:
        assert list(doubts(found, "cuda", Order(DAY), SUITE))


@pytest.mark.parametrize(
    ("order", "word"),
    [
        (Order(DAY, "no/such/python"), "no interpreter"),
        (Order(DAY, only=("matmul-fp4",)), "matmul-fp4"),
        (Order(DAY, device="tpu"), "tpu"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused(catalog: Catalog, order: Order, word: str) -> None:
    with pytest.raises(InputError, match=word) as caught:
        validated(catalog, order)
    assert caught.value.hint
