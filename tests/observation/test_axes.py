"""Axes given one by one: what is read without a pattern is read as any other text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.model.environment import Environment
from compatsolver.observation.axes import read_axes, read_gpus
from compatsolver.observation.target import driver_number, target_of

NAMES = st.text("RTX 4090a-.nd,&+;\n(/é²", min_size=1).filter(str.strip)


@given(st.lists(NAMES, min_size=1, max_size=3))
def test_plain_names_of_gpus_are_read_as_all_are(names: list[str]) -> None:
    assert read_gpus(names) == target_of(Environment(gpu=tuple(names))).gpus


@given(st.text("0123456789. ²r", min_size=1).filter(str.strip))
def test_a_driver_is_taken_as_it_is_or_as_the_number_in_it(text: str) -> None:
    assert read_axes({"driver": text}).driver in (text, driver_number(text))
