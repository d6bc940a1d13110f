"""Every family of versions has one total order, and its words are read back to the same place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.model.version import Capability, NumericVersion, PythonVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Callable

NUMERIC = st.lists(st.integers(0, 999), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts)))
PYTHON = st.builds("{}.{}{}".format, st.integers(2, 3), st.integers(0, 20), st.sampled_from(["", "t", ".7"]))
CAPABILITY = st.builds("{}.{}".format, st.integers(1, 15), st.integers(0, 9))
PACKAGE = st.builds(
    "{}{}{}".format,
    st.lists(st.integers(0, 40), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts))),
    st.sampled_from(["", "rc1", ".post1", ".dev2"]),
    st.sampled_from(["", "+cu118", "+cu126", "+cpu"]),
)
FAMILIES = [
    pytest.param(NumericVersion.parse, NUMERIC, id="numeric"),
    pytest.param(PythonVersion.parse, PYTHON, id="python"),
    pytest.param(Capability.parse, CAPABILITY, id="capability"),
    pytest.param(package_version, PACKAGE, id="package"),
]


@pytest.mark.parametrize(("parse", "texts"), FAMILIES)
def test_the_order_is_total(parse: Callable[[str], Any], texts: st.SearchStrategy[str]) -> None:
    @given(st.tuples(texts, texts, texts))
    def holds(three: tuple[str, str, str]) -> None:
        a, b, c = map(parse, three)
        assert (a < b) + (a == b) + (a > b) == 1
        assert (a <= b) == (a < b or a == b)
        assert a != b or hash(a) == hash(b)
        if a <= b and b <= c:
            assert a <= c

    holds()


@pytest.mark.parametrize(("parse", "texts"), FAMILIES)
def test_a_version_is_read_back_from_its_words(parse: Callable[[str], Any], texts: st.SearchStrategy[str]) -> None:
    @given(texts)
    def holds(text: str) -> None:
        assert parse(str(parse(text))) == parse(text)

    holds()


@pytest.mark.parametrize(
    ("older", "newer"),
    [("525.60.13", "525.105.17"), ("535.98", "535.161.08"), ("9.9", "12.0"), ("2.28", "2.35"), ("12.4", "12.4.1")],
)
def test_fields_compare_as_numbers(older: str, newer: str) -> None:
    assert NumericVersion.parse(older) < NumericVersion.parse(newer)


def test_missing_fields_are_zero() -> None:
    assert NumericVersion.parse("12.4") == NumericVersion.parse("12.4.0")


def test_the_free_threaded_build_follows_the_ordinary_one() -> None:
    assert PythonVersion.parse("3.14") < PythonVersion.parse("3.14t") < PythonVersion.parse("3.15")


@pytest.mark.parametrize("text", ["", "12.x", "v535", "535.", ".1", "-1", "5 35"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a dotted number"):
        NumericVersion.parse(text)


@pytest.mark.parametrize("text", ["3", "3.x", "cp312", "3.14tt", "python3.9"])
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a Python version"):
        PythonVersion.parse(text)


@pytest.mark.parametrize("text", ["sm", "90", "sm_9", "8.99", "ampere"])
def test_what_is_no_capability_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a compute capability"):
        Capability.parse(text)


@pytest.mark.parametrize(
    ("text", "read"), [("sm_90a", (9, 0)), ("compute_120", (12, 0)), ("8.9", (8, 9)), ("SM_100f", (10, 0))]
)
def test_capabilities_are_read_from_targets(text: str, read: tuple[int, int]) -> None:
    assert Capability.parse(text) == Capability(*read)


def test_what_pep_440_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid version"):
        package_version("2.x")
