"""Lints on GPUs and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import gpus

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    ("gpu-capability-known", "gpus.yaml", '"8.9", chip', '"8.8", chip', "no capability 8.8"),
    ("chip-capability", "gpus.yaml", "chip: GV100", "chip: AD102", "with its chip AD102 8.9"),
    ("product-meanings", "gpus.yaml", "name: Tesla V100,", "name: Jetson T5000,", "has the capabilities 11.0 and 7.0"),
    (
        "printed-name-agrees",
        "gpus.yaml",
        'compute_capability: "8.9", evidence',
        'compute_capability: "7.0", evidence',
        "the product of that name 8.9",
    ),
    ("other-vendor-patterns", "gpus.yaml", "\\\\b(radeon|instinct)\\\\b", "\\\\brtx\\\\b", "matches 2 NVIDIA names"),
    ("other-vendor-patterns", "gpus.yaml", "\\\\b(radeon|instinct)\\\\b", "(radeon", "does not compile"),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in gpus.LINTS}
