"""A validation as text and as JUnit: what passed in a line, what failed with its cause."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from compatsolver.model.diagnosis import Diagnosis, Finding
from compatsolver.model.fix import Fix
from compatsolver.model.validation import CheckResult, ProposedFact, ValidationReport
from compatsolver.render.junit import validation_junit
from compatsolver.render.validation_text import validation_text

if TYPE_CHECKING:
    from collections.abc import Callable

CATALOG = {"version": "2026.11.30", "digest": "5e1f" * 16}
FINDING = Finding(
    kind="arch_above_wheel_max",
    severity="error",
    confidence="certain",
    summary="torch 2.7.0+cu126 has no kernels for compute capability 12.0",
    fixes=(
        Fix(
            change="torch",
            to="2.7.0+cu128",
            cuda="12.8",
            action="Install the CUDA 12.8 build of the same release.",
            command="pip install 'torch==2.7.0+cu128' --extra-index-url https://download.pytorch.org/whl/cu128",
            applicability="safe",
            verified=True,
        ),
    ),
)
NO_KERNEL = Diagnosis(verdict="incompatible", catalog=CATALOG, findings=(FINDING,))
SILENT = Diagnosis(verdict="undetermined", catalog=CATALOG)
GPU = {"name": "NVIDIA GeForce RTX 5070", "compute_capability": "12.0", "memory_bytes": 12_453_937_152}
ERROR = "AcceleratorError: CUDA error: no kernel image is available for execution on the device"
FAILED = ValidationReport(
    status="failed",
    device="cuda",
    confirmed=False,
    because=("failed: devices, matmul-fp32, lora",),
    date="2026-11-30",
    catalog=CATALOG,
    lock={"file": "pylock.toml", "digest": "ab" * 32},
    environment={
        "python": "3.12.1",
        "system": "Linux",
        "machine": "x86_64",
        "glibc": "2.35",
        "driver": "570.133.07",
        "gpus": [GPU],
        "torch": {"version": "2.7.0+cu126", "cuda": "12.6", "cudnn": "9.5.1", "nccl": None, "archs": ["sm_90"]},
        "packages": {"torch": "2.7.0+cu126"},
    },
    checks=(
        CheckResult("identity", "imports and builds", "passed", 8.262, "exit code 0"),
        CheckResult(
            "devices", "devices and allocations", "failed", 2.6, "exit code 0", {}, (ERROR,), diagnosis=NO_KERNEL
        ),
        CheckResult("matmul-fp32", "fp32", "failed", 2.4, "exit code 0", {}, (ERROR,), diagnosis=NO_KERNEL),
        CheckResult("solve", "linear systems", "passed", 3.0, "exit code 0", {"relative_errors": {"lu": 3.6e-07}}),
        CheckResult(
            "lora",
            "LoRA",
            "failed",
            9.0,
            "ended by SIGSEGV",
            problems=("no result: \x1b[2Jended by SIGSEGV",),
            output='Fatal Python error: Segmentation fault\n\n  File \x1b[1m"there.py", line 1 in step\n',
            diagnosis=SILENT,
        ),
        CheckResult("qlora", "QLoRA", "skipped", 2.0, "exit code 0", skipped="bitsandbytes is not installed"),
    ),
    proposed=(ProposedFact("torch 2.7.0+cu126, linux-x86_64", "cudnn", "9.7.1", "9.5.1", "gpu-run"),),
    notes=("nvidia-smi: no answer within 2 s",),
)
PASSED = FAILED._replace(
    status="passed",
    confirmed=True,
    because=(),
    checks=(
        FAILED.checks[0],
        CheckResult("matmul-bf16", "bf16", "passed", 2.3, "exit code 0", {"relative_error": 0.00166}),
        CheckResult("lora", "LoRA", "passed", 9.0, "exit code 0", {"losses": [5.57, 5.5, 5.46]}),
        CheckResult("step", "a training step", "passed", 9.0, "exit code 0", {"step_seconds": 0.0232}),
    ),
    proposed=(),
    notes=(),
)
REPORTS = {"validation-failed": FAILED, "validation-passed": PASSED}


@pytest.mark.parametrize("name", REPORTS)
def test_text_is_the_golden_one(name: str, golden: Callable[[str, str], str]) -> None:
    written = validation_text(REPORTS[name])
    assert written == golden(f"{name}.txt", written)
    assert [line for line in written.splitlines() if len(line) > 80 and "pip install" not in line] == []
    assert "\x1b" not in written


def test_a_headline_in_colour_is_the_same_headline() -> None:
    plain, coloured = (validation_text(FAILED, colour=colour).splitlines() for colour in (False, True))
    assert coloured[0] == f"\x1b[1;31m{plain[0]}\x1b[0m"
    assert coloured[1:] == plain[1:]


def test_junit_tells_failures_from_crashes() -> None:
    suite = ElementTree.fromstring(validation_junit(FAILED))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "2",
        "errors": "1",
        "skipped": "1",
    }
    cases = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert cases == {
        "identity": [],
        "devices": ["failure"],
        "matmul-fp32": ["failure"],
        "solve": [],
        "lora": ["error"],
        "qlora": ["skipped"],
    }
