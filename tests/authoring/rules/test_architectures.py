"""Rules on chips that two compute capabilities stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


def test_both_numbers_of_a_chip_are_treated_alike(catalog: Catalog) -> None:
    """Thor is 10.1 in CUDA 12.8 and 12.9, and 11.0 since 13.0: each rule that excludes one excludes the other."""
    gpus = [candidate.version for candidate in catalog.components["gpu"].candidates]
    places = gpus.index("10.1"), gpus.index("11.0")
    forbidden: dict[str, set[object]] = {"10.1": set(), "11.0": set()}
    for rule in catalog.rules:
        allowed = next((literal.allowed for literal in rule.literals if literal.component == "gpu"), None)
        if allowed is None:
            continue
        others = tuple(literal for literal in rule.literals if literal.component != "gpu")
        for place in places:
            if not allowed >> place & 1:
                forbidden[gpus[place]].add((rule.kind, others, rule.unknown is None))
    assert forbidden["10.1"] == forbidden["11.0"]
    assert forbidden["11.0"]
