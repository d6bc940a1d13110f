"""Lints on sources and dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import sources

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    ("source-given", "drivers.yaml", "sources: [guide]", "sources: []", "has no source"),
    ("source-declared", "cuda.yaml", "sources: [guide]", 'sources: ["guid#page 3"]', "'guid' is not declared"),
    (
        "source-used",
        "sources.yaml",
        "  wheels: {",
        '  unused: {title: "T", url: null, retrieved: 2026-11-01}\n  wheels: {',
        "no row cites the source 'unused'",
    ),
    ("source-cited-once", "cuda.yaml", "sources: [guide]", "sources: [guide, guide]", "twice"),
    ("source-address", "sources.yaml", "https://example.com/guide", "see the guide", "not a URL"),
    ("source-read", "sources.yaml", "retrieved: 2026-11-30}", "retrieved: null}", "none of its sources was read"),
    (
        "released-within-horizon",
        "torch/2.9.yaml",
        "released: 2025-11-12",
        "released: 2027-11-12",
        "2027-11-12 is after the horizon",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in sources.LINTS}
