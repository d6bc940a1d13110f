"""Lints on extras and on what releases work with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import lint, pairs
from compatsolver.authoring.load import load_tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE = "libraries/bitsandbytes.yaml"
CASES = [
    ("extra-met", FILE, '{torchvision: ""}', '{torchvison: ""}', "bitsandbytes[vision] 0.48.0 adds torchvison"),
    ("extra-met", FILE, '{torchvision: ""}', '{torchvision: ">=1"}', "no such release"),
    ("pair-met", FILE, "component: torchvision", "component: torchvison", "works with torchvison >=0.24, which has no"),
    ("pair-met", FILE, 'versions: ">=0.24"', 'versions: ">=1"', "works with torchvision >=1: no such release"),
    ("pairs-agree", FILE, "kind: pkg_api", "kind: pkg_pin", "torchvision >=0.24 has another kind"),
    (
        "requirements-agree",
        FILE,
        '{torch: ">=2.3,<3"}',
        '{torch: "==2.9.0", torchvision: "==0.24.1"}',
        "pins torch 2.9.0 and torchvision 0.24.1, which requires torch ==2.9.1",
    ),
    ("pairs-agree", FILE, "what it imports", "what it needs", "torchvision >=0.24 has another why"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in pairs.LINTS}


def test_a_warning_may_wait_for_a_release(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    """transformers 5.24.0 asks for a peft that nobody had published."""
    assert lint(load_tables(matrices)) == []
    edit(FILE, "severity: warning", "severity: error")
    (problem,) = lint(load_tables(matrices))
    assert problem.lint == "pair-met"
