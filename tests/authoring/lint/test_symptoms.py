"""Lints on symptoms and kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import symptoms

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "symptoms/driver.yaml"
CASES = [
    ("pattern-compiles", FILE, "found version", "(found version", "is no regular expression"),
    ("example-matches", FILE, 'marks: ["too old"]', 'marks: ["too new"]', "no mark occurs"),
    ("example-matches", FILE, "(found version 11020)", "(found 11020)", "does not match"),
    ("kind-described", FILE, "kind: driver_min_for_cuda", "kind: driver_min", "is not in kinds.yaml"),
    ("part-known", FILE, "{level|level}", "{level|depth}", "there is no part 'depth'"),
    ("command-runs", FILE, "command: sudo reboot", "command: sudo apt install …", "has a gap in it"),
    ("symptom-acts", FILE, "kind: driver_min_for_cuda", "kind: null", "proves nothing and asks nothing"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in symptoms.LINTS}
