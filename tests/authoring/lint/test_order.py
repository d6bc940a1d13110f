"""Lints on order and uniqueness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.lint import order

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = [
    ("newest-first", "cuda.yaml", '"12.8.1"', '"13.0.1"', "13.0.1 stands after 13.0.0"),
    ("newest-first", "torch/2.9.yaml", 'version: "2.9.0"', 'version: "2.9.1"', "2.9.1 stands twice"),
    ("alphabetical", "aliases.yaml", "cuda-toolkit", "zuda-toolkit", "'pytorch' stands after 'zuda-toolkit'"),
    ("names-unique", "gpus.yaml", "name: Tesla V100-SXM2-16GB", "name: NVIDIA GeForce RTX 4090", "stands twice"),
    ("builds-sorted", "torch/2.9.yaml", "build: cu130", "build: cu126", "cu128 linux-x86_64 stands after cu126"),
    ("pythons-sorted", "torch/2.9.yaml", '["3.13", "3.12"]', '["3.12", "3.13"]', "3.12, 3.13 are not in order"),
    (
        "keys-sorted",
        "libraries/bitsandbytes.yaml",
        '{torch: ">=2.3,<3"}',
        '{torch: ">=2.3,<3", numpy: ""}',
        "torch, numpy are not in order",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_finds(case: tuple[str, str, str, str, str], assert_found: Callable[[str, str, str, str, str], None]) -> None:
    assert_found(*case)


def test_every_lint_has_a_failing_example() -> None:
    assert {case[0] for case in CASES} == {check.__name__.replace("_", "-") for check in order.LINTS}
