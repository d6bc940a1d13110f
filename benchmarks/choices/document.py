"""The tables of docs/peers.md, from stored results alone; they stand between markers in a page that is its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from choices.grading import CPU, FAILS, NEWEST, NONE, RUNS, UNCLAIMED, UNKNOWN, UNPUBLISHED
from choices.peers import PEERS
from oracle import NO, YES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from choices.grading import Graded
    from choices.results import Results, Row

_WHERE_ONE_RUNS = (NEWEST, RUNS, CPU, FAILS, UNPUBLISHED, NONE, UNKNOWN)
_WHERE_NONE_RUNS = (NONE, CPU, UNPUBLISHED, FAILS, UNKNOWN)


def rendered(page: str, results: Results) -> str:
    """The page with the tables of these results."""
    for name, lines in (("peers", peers()), ("tables", tables(results))):
        begin, end = (f"<!-- python -m choices: {name} {side} -->" for side in ("begin", "end"))
        before, _, rest = page.partition(begin)
        page = "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{rest.partition(end)[2]}"])
    return page


def peers() -> list[str]:
    """How each tool was asked, as a table."""
    lines = [_line((f"{peer.name} {peer.version}", peer.asked, peer.reads, peer.remark)) for peer in PEERS]
    return [_line(("tool", "asked", "reads", "remarks")), _rule(4), *lines]


def tables(results: Results) -> list[str]:
    """Every table of grades, and what it was taken from."""
    served = [row for row in results.rows if row.runs == YES]
    unserved = [row for row in results.rows if row.runs == NO]
    count = len(results.rows)
    return [
        f"Taken on {results.date}; {', '.join(results.versions)}.",
        f"{count} targets: on {len(served)} of them a GPU build of torch runs, on {len(unserved)} none does,",
        f"and of {count - len(served) - len(unserved)} the facts do not say.",
        "",
        f"**Where a GPU build runs** ({len(served)} targets). In brackets: how many of these grades rest on code that",
        "was measured in the wheel itself.",
        "",
        *_graded(results.tools, served, _WHERE_ONE_RUNS),
        "",
        f"**Where none runs** ({len(unserved)} targets): the driver does not drive the GPU, or no wheel for the Python",
        "has code for it. Then no answer is the right one, and a CPU build at least works.",
        "",
        *_graded(results.tools, unserved, _WHERE_NONE_RUNS),
        "",
        "**By axis**: of the targets where a GPU build runs, those where that of the answer does; `–`: not claimed.",
        "",
        *_by_axis(results.tools, served),
    ]


def _graded(tools: Sequence[str], rows: Sequence[Row], grades: Sequence[str]) -> list[str]:
    lines = []
    for tool in tools:
        claimed = [row.grades[tool] for row in rows if row.grades[tool].grade != UNCLAIMED]
        lines.append(_line((tool, str(len(claimed)), *(_counted(claimed, grade) for grade in grades))))
    return [_line(("tool", "targets it claims", *grades)), _rule(len(grades) + 2), *lines]


def _counted(found: Iterable[Graded], grade: str) -> str:
    of_grade = [entry for entry in found if entry.grade == grade]
    measured = sum(entry.measured for entry in of_grade)
    return f"{len(of_grade)} ({measured})" if measured else str(len(of_grade))


def _by_axis(tools: Sequence[str], rows: Sequence[Row]) -> list[str]:
    lines = [_line(("axis", "targets", *tools)), _rule(len(tools) + 2)]
    for axis in (_gpu, _branch, _platform, _python):
        values = dict.fromkeys(axis(row) for row in rows)
        for value in sorted(values) if axis is _branch else values:
            of_value = [row for row in rows if axis(row) == value]
            lines.append(_line((value, str(len(of_value)), *(_served(tool, of_value) for tool in tools))))
    return lines


def _served(tool: str, rows: Sequence[Row]) -> str:
    grades = [row.grades[tool].grade for row in rows]
    claimed = [grade for grade in grades if grade != UNCLAIMED]
    count = str(sum(grade in (NEWEST, RUNS) for grade in claimed))
    if len(claimed) == len(rows):
        return count
    return f"{count} of {len(claimed)}" if claimed else "–"


def _gpu(row: Row) -> str:
    return row.gpu


def _branch(row: Row) -> str:
    return f"R{int(row.driver.partition('.')[0]) // 5 * 5}"


def _platform(row: Row) -> str:
    return row.platform


def _python(row: Row) -> str:
    return f"Python {row.python}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(columns: int) -> str:
    return "|" + "---|" * columns
