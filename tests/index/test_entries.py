"""What is kept of a page is read again as it was, and only as far as it is looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.index.entries import (
    KeptPage,
    packed_metadata,
    packed_page,
    unpacked_metadata,
    unpacked_page,
)
from compatsolver.index.metadata import Metadata
from compatsolver.index.pages import RemoteFile, project_of

if TYPE_CHECKING:
    import pytest

TEXTS = st.none() | st.text(max_size=8)
FILES = st.builds(
    RemoteFile,
    name=st.sampled_from(("1.0", "1.0.0", "2.0rc1", "0.9+cu126")).map("lib-{}-py3-none-any.whl".format),
    url=st.text(max_size=8),
    hashes=st.dictionaries(st.sampled_from(("sha256", "sha512")), st.text(max_size=8)),
    size=st.none() | st.integers(0, 1 << 40),
    requires_python=TEXTS,
    yanked=TEXTS,
    uploaded=TEXTS,
    metadata=st.none() | st.dictionaries(st.just("sha256"), st.text(max_size=8)),
)
METADATA = st.builds(
    Metadata,
    name=st.text(max_size=8),
    version=st.text(max_size=8),
    requires=st.lists(st.text(max_size=8)).map(tuple),
    requires_python=TEXTS,
    extras=st.lists(st.text(max_size=8)).map(tuple),
    is_static=st.booleans(),
)


@given(st.lists(FILES, max_size=6), TEXTS)
def test_a_page_is_read_as_it_was_kept(files: list[RemoteFile], etag: str | None) -> None:
    releases = project_of("lib", "https://example.org/", files).releases
    kept = unpacked_page(packed_page(KeptPage(7.5, etag, releases)))
    assert kept.releases is not None
    assert (kept.fetched, kept.etag, list(kept.releases.items())) == (7.5, etag, list(releases.items()))
    assert unpacked_page(packed_page(kept)) == kept


def test_that_there_is_no_such_project_is_kept_too() -> None:
    kept = KeptPage(7.5, None, None)
    assert unpacked_page(packed_page(kept)) == kept


@given(METADATA)
def test_metadata_is_read_as_it_was_kept(metadata: Metadata) -> None:
    assert unpacked_metadata(packed_metadata(metadata)) == metadata


def test_only_the_release_that_is_looked_at_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [RemoteFile(f"lib-{number}-py3-none-any.whl", "", {}) for number in range(50)]
    kept = unpacked_page(packed_page(KeptPage(0.0, None, project_of("lib", "", files).releases)))
    assert kept.releases is not None
    decoded: list[bytes] = []
    real = json.loads

    def counting(content: bytes) -> object:
        decoded.append(content)
        return real(content)

    monkeypatch.setattr("compatsolver.index.entries.json.loads", counting)
    assert next(iter(kept.releases)) == "49"
    assert kept.releases["30"] == (files[30],)
    assert len(decoded) == 1
