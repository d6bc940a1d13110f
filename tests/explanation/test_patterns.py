"""No pattern that reads a paste can take more than linear time."""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import TYPE_CHECKING

import pytest

from compatsolver.observation import pasted
from compatsolver.observation.pasted.phrases import Phrase
from patterns import faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    """Every compiled pattern in a value of a module."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Phrase):
        yield value.pattern
    elif isinstance(value, (tuple, list)):
        for inside in value:
            yield from _patterns(inside)


@pytest.mark.parametrize("module", [module.name for module in pkgutil.iter_modules(pasted.__path__)])
def test_patterns_of_readers_are_linear(module: str) -> None:
    names = vars(importlib.import_module(f"compatsolver.observation.pasted.{module}"))
    found = {pattern.pattern: pattern for value in names.values() for pattern in _patterns(value)}
    assert {text: told for text, pattern in found.items() if (told := faults(text, pattern.flags))} == {}


def test_patterns_of_symptoms_are_linear(catalog: Catalog) -> None:
    rows = catalog.diagnosis["symptoms"]
    patterns = {row["pattern"] for row in rows}
    patterns |= {condition["matches"] for row in rows for condition in row.get("when", ()) if "matches" in condition}
    assert {text: told for text in patterns if (told := faults(text))} == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:[<>=]=?[^\s,]+,?)+, but",
        r"(\w+)+x",
        r"[\w.-]+ requires",
        r"(?:a|\w*Trainer)x",
        r"error[\s\S]*end",
        r"error.*end",
        r"error[^\n]*end",
        r"[^\n]{0,900}end",
    ],
)
def test_a_slow_pattern_is_known_as_one(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize(
    "pattern", [r"(?<!\w)\w+ requires", r"torch-(\d+)", r"^(?![\s\S]*end)", r"x[^\n]{0,90}end", r"(?:ab\w{0,9},?)+"]
)
def test_a_linear_pattern_passes(pattern: str) -> None:
    assert not faults(pattern)
