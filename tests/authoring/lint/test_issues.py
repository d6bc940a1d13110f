"""Lints on known issues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import issues

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "issues.yaml"
CASES = [
    ("issue-component", FILE, "component: torchvision", "component: torchvison", "KI002 names torchvison"),
    ("issue-component", FILE, "platforms: [linux-x86_64]", "platforms: [linux]", "KI001 names linux"),
    ("issue-component", FILE, 'beside: {torch: "', 'beside: {torhc: "', "KI002 names torhc"),
    ("issue-concerns-a-release", FILE, '"==2.9.1"', '"==2.9.2"', "torch has no release ==2.9.2"),
    ("issue-can-be-told", FILE, "component: torch\n", "component: triton\n", "is told and not about torch alone"),
    ("issues-sorted", FILE, "id: KI002", "id: KI001", "KI001 stands after KI001"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in issues.LINTS}
