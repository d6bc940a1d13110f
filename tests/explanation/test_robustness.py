"""Whatever is pasted, an answer comes back, without secrets; that it comes in time, test_patterns proves."""

from __future__ import annotations

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

    from compatsolver.model.diagnosis import Diagnosis

PIECES = [incident.text for incident in INCIDENTS]
ROWS = 20_000
"""About 1 MB of log."""


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


def test_a_failure_after_a_long_log_is_found(explained: Callable[..., Diagnosis]) -> None:
    log = "\n".join(f"step {step}: loss 0.{step % 97:02} lr 1e-5 grad_norm 1.0" for step in range(ROWS))
    diagnosis = explained(f"{log}\n{PIECES[0]}\n")
    assert diagnosis.verdict == INCOMPATIBLE
    assert f"line {ROWS + 1} says" in diagnosis.findings[0].because[-1].statement


def test_blank_lines_are_passed_over_and_counted(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained("\n" * 300_000 + PIECES[0])
    assert "line 300001 says" in diagnosis.findings[0].because[-1].statement


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("RuntimeError: CUDA out of memory. 显存不足", "gb18030"),
        ("RuntimeError: CUDA out of memory – größer", "cp1252"),
        ("RuntimeError: CUDA out of memory", "utf-16"),
        ("RuntimeError: CUDA out of memory", "utf-16-le"),
        ("\x1b[31mRuntimeError\x1b[0m: CUDA out \x1b[1mof memory\x1b[0m", "utf-8"),
    ],
)
def test_encodings_and_colours_are_read(text: str, encoding: str, explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(text.encode(encoding))
    assert [finding.kind for finding in diagnosis.findings] == ["none"]


def test_a_log_of_mixed_encodings_is_read_line_by_line(explained: Callable[..., Diagnosis]) -> None:
    lines = ["路径 C:\\数据".encode("gb18030"), "größe".encode("cp1252"), b"\xff\xfe\x00", PIECES[0].encode()]
    assert explained(b"\n".join(lines)).verdict == INCOMPATIBLE


def test_secrets_are_not_echoed(explained: Callable[..., Diagnosis]) -> None:
    token = "hf_" + "a1B2" * 9
    text = f'RuntimeError: CUDA out of memory, token={token}\nFile "/home/alice/run.py", line 1'
    shown = diagnosis_text(explained(text))
    assert token not in shown
    assert "alice" not in shown


def test_the_same_paste_gives_the_same_bytes(explained: Callable[..., Diagnosis]) -> None:
    first, second = (explained(PIECES[0], gpu="RTX 4090").to_dict() for _ in range(2))
    assert first == second
