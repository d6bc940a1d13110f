"""What the benchmark suite makes of figures; the figures themselves are never tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measuring.pairs import Pairs
from measuring.records import VARIABLE, Figure, read_figures
from measuring.report import show
from measuring.suite import regressions, table

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def document(**ratios: float) -> dict[str, Any]:
    figures = [Figure(title, "input", "no goal", ratio, ratio, ratio, 9) for title, ratio in ratios.items()]
    return {
        "date": "2026-11-30",
        "machine": "a machine",
        "versions": ["CPython 3.12"],
        "failed": [],
        "figures": [figure._asdict() for figure in figures],
    }


def test_a_ratio_may_be_a_little_worse() -> None:
    assert regressions(document(P1=2.0, P2=4.0), document(P1=2.29, P2=1.0)) == []


def test_a_ratio_that_is_much_worse_is_named_with_both_figures() -> None:
    assert regressions(document(P1=2.0, P2=4.0), document(P1=2.4, P2=4.0)) == ["worse    P1: 2.00 → 2.40 (+20%)"]


def test_a_figure_that_is_gone_is_named() -> None:
    assert regressions(document(P1=2.0), document()) == ["missing  P1: 2.00 in the baseline"]


def test_what_a_script_shows_is_kept_for_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "figures.jsonl"
    monkeypatch.setenv(VARIABLE, str(kept))
    show("P1  ours ÷ theirs", "a question", Pairs((2.0, 4.0, 6.0), (2.0, 2.0, 2.0)), goals="must be 3", unit="ms")
    (figure,) = read_figures(kept)
    assert (figure.title, figure.ratio, figure.pairs) == ("P1  ours ÷ theirs", 2.0, 3)


def test_the_table_names_what_did_not_run() -> None:
    text = table(document(P1=1.234) | {"failed": ["memory.py"]})
    assert "| P1 | 1.23 | 1.23 to 1.23 | 9 | no goal |" in text
    assert "memory.py" in text
