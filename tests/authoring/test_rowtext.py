"""Rows as YAML: what is written is read back as it was."""

from __future__ import annotations

from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.authoring import yamlfile
from compatsolver.authoring.rowtext import row_text

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12) | st.sampled_from(
    ["yes", "No", "null", "1.10", "0x10", "2026-11-30", "a: b", "- x", "~", "cu128", "1e5", ".inf", "=", "é ü"]
)
scalars: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers(0, 10**6) | st.dates(date(2000, 1, 1)) | texts
values = st.recursive(
    scalars, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3), max_leaves=8
)
keys = st.from_regex(r"[a-z][a-z_]{2,8}[0-9]", fullmatch=True)


@given(st.lists(st.dictionaries(keys, values, min_size=1, max_size=4), min_size=1, max_size=3))
def test_rows_are_read_back(rows: list[dict[str, Any]]) -> None:
    assert yamlfile.read("".join(map(row_text, rows)).encode()) == rows
