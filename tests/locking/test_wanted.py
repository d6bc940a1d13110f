"""Requirements of a distribution on a target: which count, under which extra."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement

from compatsolver.locking.fit import Fit
from compatsolver.locking.wanted import wanted_by
from compatsolver.model.request import Target

FIT = Fit(Target(python="3.12", platform="linux-x86_64", glibc="2.35"))
EXTRAS = ("", "tea", "green-tea")
WORDS = st.sampled_from(
    (
        "extra == 'tea'",
        'extra=="tea"',
        "extra == 'Green_Tea'",
        "extra == 'green.tea' ",
        "'tea' == extra",
        "extra != 'tea'",
        "python_version < '3.12'",
        "python_version >= '3.12'",
        "sys_platform == 'linux'",
    )
)
MARKERS = st.recursive(
    WORDS, lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from(("and", "or")), inner), max_leaves=4
)


@given(st.lists(MARKERS, max_size=4), st.sampled_from(EXTRAS))
def test_what_counts_is_what_its_marker_says(markers: list[str], extra: str) -> None:
    """Under an extra, only what does not count without it."""
    texts = [f"lib{number}; {marker}" for number, marker in enumerate(markers)]
    expected = []
    for text in texts:
        marker = Requirement(text).marker
        if FIT.applies(marker, extra) and not (extra and FIT.applies(marker)):
            expected.append(Requirement(text).name)
    assert [wanted.name for wanted in wanted_by(texts, "app 1", FIT, extra)] == expected


def test_what_is_no_requirement_and_what_names_an_address_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a requirement"):
        list(wanted_by(["lib >=> 1"], "app 1", FIT))
    with pytest.raises(ValueError, match="names an address"):
        list(wanted_by(["lib @ https://example.org/lib-1.tar.gz"], "app 1", FIT))
    assert not list(wanted_by(["lib @ https://example.org/lib-1.tar.gz ; extra == 'dev'"], "app 1", FIT))
