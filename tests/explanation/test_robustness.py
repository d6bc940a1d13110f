"""Whatever is pasted, an answer comes back, in time, and without secrets."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from compatsolver.model.diagnosis import COMPATIBLE, INCOMPATIBLE, UNDETERMINED
from compatsolver.render.annotations import github_annotations
from compatsolver.render.diagnosis_markdown import diagnosis_markdown
from compatsolver.render.diagnosis_text import diagnosis_text
from incidents import INCIDENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis

SLOWEST_SECONDS = 6.0
"""For 1 MB on a busy machine: a backtracking pattern would take minutes."""
PIECES = [incident.text for incident in INCIDENTS]
HOSTILE = [
    "a",
    " ",
    "1.",
    "undefined symbol: _Z",
    "cannot import name '",
    "requires ",
    "\n",
    "site-packages/",
    "(((((",
    "sm_",
]


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=2000))
def test_arbitrary_bytes_get_an_answer(data: bytes, explained: Callable[..., Diagnosis]) -> None:
    assert explained(data).verdict in (COMPATIBLE, INCOMPATIBLE, UNDETERMINED)


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=4), noise=st.text(max_size=60))
def test_mixed_pastes_get_an_answer_that_renders(
    pieces: list[str], noise: str, explained: Callable[..., Diagnosis]
) -> None:
    diagnosis = explained("\n".join([noise, *pieces, noise]))
    assert diagnosis_text(diagnosis).endswith("\n")
    assert diagnosis_markdown(diagnosis).startswith("### ")
    assert github_annotations(diagnosis).startswith("::")
    assert diagnosis.to_dict()["schema"] == "compatsolver.diagnosis/1"


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_megabyte_is_read_in_time(piece: str, explained: Callable[..., Diagnosis]) -> None:
    start = time.perf_counter()
    explained(piece * (1_000_000 // len(piece)))
    assert time.perf_counter() - start < SLOWEST_SECONDS


def test_every_pattern_stays_quick_on_its_own_examples_repeated(
    catalog: Catalog, explained: Callable[..., Diagnosis]
) -> None:
    examples = [text for row in catalog.diagnosis["symptoms"] for text in row["examples"]]
    start = time.perf_counter()
    explained("\n".join(examples) * 10)
    assert time.perf_counter() - start < SLOWEST_SECONDS


def test_secrets_are_not_echoed(explained: Callable[..., Diagnosis]) -> None:
    token = "hf_" + "a1B2" * 9
    text = f'RuntimeError: CUDA out of memory, token={token}\nFile "/home/alice/run.py", line 1'
    shown = diagnosis_text(explained(text))
    assert token not in shown
    assert "alice" not in shown


def test_the_same_paste_gives_the_same_bytes(explained: Callable[..., Diagnosis]) -> None:
    first, second = (explained(PIECES[0], gpu="RTX 4090").to_dict() for _ in range(2))
    assert first == second
