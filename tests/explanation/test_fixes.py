"""Fixes keep what they can, are solved again, and say what they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from compatsolver.explanation.diagnosis.entrance import explain_given
from compatsolver.model.environment import Environment
from compatsolver.model.fix import DISPLAY_ONLY, SAFE, UNSAFE

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis, Finding

STACKS = [
    {"gpu": "RTX 5070", "packages": {"torch": "2.7.0+cu126"}, "driver": "570.133.07", "os": "Ubuntu 22.04"},
    {"gpu": "Tesla V100", "packages": {"torch": "2.11.0+cu130"}, "driver": "580.65.06", "os": "Ubuntu 22.04"},
    {"gpu": "GTX 1080", "packages": {"torch": "2.9.1+cu128"}, "driver": "550.54.15", "os": "Windows 11"},
    {"packages": {"torch": "2.5.1+cu124"}, "driver": "470.57.02", "os": "Ubuntu 20.04"},
    {"packages": {"torch": "2.10.0+cu130", "torchvision": "0.24.1"}, "os": "Ubuntu 22.04"},
    {"packages": {"torch": "2.6.0+cu124", "triton": "3.1.0"}, "os": "Ubuntu 22.04"},
    {"gpu": "GH200", "arch": "aarch64", "packages": {"torch": "2.6.0+cpu"}},
    {"packages": {"torch": "2.2.0+cu121", "numpy": "2.1.0"}, "os": "Ubuntu 22.04"},
]


def _error(diagnosis: Diagnosis) -> Finding:
    return next(finding for finding in diagnosis.findings if finding.severity == "error")


def test_a_pinned_release_keeps_its_version(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(explained(gpu="GeForce RTX 5070", packages={"torch": "2.7.0+cu126"}, os="Ubuntu 22.04"))
    assert (finding.kind, finding.fixes[0].to, finding.fixes[0].cuda) == ("arch_above_wheel_max", "2.7.0+cu128", "12.8")
    assert finding.fixes[0].command == (
        "pip install 'torch==2.7.0+cu128' --extra-index-url https://download.pytorch.org/whl/cu128"
    )


def test_the_companions_of_torch_move_with_it(explained: Callable[..., Diagnosis]) -> None:
    stack = {"torch": "2.6.0+cu124", "torchvision": "0.21.0"}
    finding = _error(explained(gpu="RTX 5090", packages=stack, os="Ubuntu 22.04"))
    assert (finding.fixes[0].to, "torchvision 0.22.0" in finding.fixes[0].action) == ("2.7.0+cu128", True)


def test_a_release_before_the_tables_keeps_its_version(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(explained(gpu="A100", packages={"torch": "1.9.1+cu102"}))
    assert (finding.kind, finding.fixes[0].to) == ("arch_above_wheel_max", "1.9.1+cu111")


def test_a_nightly_past_the_tables_is_judged_by_its_runtime(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(explained(gpu="B200", packages={"torch": "2.99.0.dev20270101+cu126"}))
    assert finding.kind == "arch_above_wheel_max"


def test_a_dropped_gpu_gets_the_last_branch_that_drives_it(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(explained(gpu="GTX 1050", driver="595.58.03"))
    assert [(fix.to, fix.applicability) for fix in finding.fixes if fix.change == "driver"] == [(">=580,<590", UNSAFE)]
    assert "latest" not in finding.fixes[0].action


def test_what_would_not_help_is_said(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(
        explained(gpu="GTX 1080", packages={"torch": "2.12.0+cu130"}, driver="580.65.06", os="Ubuntu 22.04")
    )
    assert "driver" in finding.not_enough[0]


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: " ".join(map(str, stack.values()))[:60])
def test_every_verified_fix_of_torch_mends_its_finding(
    stack: dict[str, object], explained: Callable[..., Diagnosis], catalog: Catalog
) -> None:
    finding = _error(explained(**stack))
    fixes = [fix for fix in finding.fixes if fix.change in ("torch", "driver") and fix.verified and fix.to]
    assert fixes
    for fix in fixes:
        again = explain_given(catalog, None, _changed(stack, fix.change, str(fix.to), fix.action))
        assert finding.kind not in {found.kind for found in again.findings if found.severity == "error"}, fix


def _changed(stack: dict[str, object], change: str, to: str, action: str) -> Environment:
    """The environment after a fix, the packages that its action names moved with it."""
    packages = dict(stack.get("packages", {}))  # type: ignore[call-overload]
    driver = stack.get("driver")
    if change == "driver":
        bound = re.search(r">=([\d.]+)", to)
        driver = bound[1] if bound else driver
    else:
        packages["torch"] = to
        packages |= dict(re.findall(r"(torchvision|torchaudio|triton|numpy) (\d[\d.]*\d)", action))
        packages.pop("triton", None)
    gpu = stack.get("gpu")
    return Environment(
        gpu=(str(gpu),) if gpu else None,
        driver=str(driver) if driver else None,
        os=stack.get("os"),  # type: ignore[arg-type]
        arch=stack.get("arch"),  # type: ignore[arg-type]
        packages=packages,
    )


def test_applicability_tells_what_a_fix_reaches(explained: Callable[..., Diagnosis]) -> None:
    finding = _error(explained(gpu="GTX 1080", packages={"torch": "2.12.0+cu130"}, os="Ubuntu 22.04"))
    assert {fix.change: fix.applicability for fix in finding.fixes} == {"torch": SAFE, "gpu": DISPLAY_ONLY}
