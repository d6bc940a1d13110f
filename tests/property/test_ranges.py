"""Sets of intervals in words, read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.explanation.ranges import interval_words
from compatsolver.model.component import Candidate, Component, Family
from compatsolver.model.version import NumericVersion
from compatsolver.solver.formulate import interval

DRIVERS = ("580", "575", "535.161.08", "525.60.13", "470", "450.80.02", "0")
COMPONENT = Component("driver", "driver", "host", Family.DRIVER, tuple(Candidate(text) for text in DRIVERS))


def read_back(words: str) -> int:
    """The set that a specifier written by `interval_words` describes."""
    mask = 0
    for alternative in words.split(" or "):
        bounds = [] if alternative == "any" else alternative.split(",")
        for position, text in enumerate(DRIVERS):
            version = NumericVersion.parse(text)
            inside = [
                version >= NumericVersion.parse(bound[2:])
                if bound.startswith(">=")
                else version < NumericVersion.parse(bound[1:])
                for bound in bounds
            ]
            mask |= all(inside) << position
    return mask


@given(st.integers(1, COMPONENT.everything))
def test_a_set_of_intervals_survives_its_words(mask: int) -> None:
    assert read_back(interval_words(COMPONENT, mask)) == mask


@given(st.lists(st.integers(0, 700), min_size=1, max_size=3))
def test_a_version_lies_in_the_interval_whose_words_hold_it(numbers: list[int]) -> None:
    version = NumericVersion.parse(".".join(map(str, numbers)))
    words = interval_words(COMPONENT, interval(COMPONENT, version))
    lower, _, upper = words.rpartition(",") if "," in words else (words, "", "")
    if words.startswith("<"):
        lower, upper = "", words
    assert not lower or version >= NumericVersion.parse(lower.removeprefix(">="))
    assert not upper or version < NumericVersion.parse(upper.removeprefix("<"))
