"""The graded answers as they are kept: one target a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from choices.grading import Graded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Row(NamedTuple):
    """A target by its axes, whether any GPU build of torch runs on it, and the grades by tool."""

    gpu: str
    driver: str
    platform: str
    python: str
    runs: str
    grades: Mapping[str, Graded]


class Results(NamedTuple):
    """When the tools were asked, with what versions, and what came out."""

    date: str
    versions: tuple[str, ...]
    tools: tuple[str, ...]
    rows: tuple[Row, ...]


def write(path: Path, results: Results) -> None:
    """Keep the results."""
    head = {"date": results.date, "versions": results.versions, "tools": results.tools}
    rows = [[*row[:-1], *(str(row.grades[tool]) for tool in results.tools)] for row in results.rows]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text(f'{json.dumps(head)[:-1]}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def read(path: Path) -> Results:
    """The results that were kept."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    tools = tuple(kept["tools"])
    rows = []
    for gpu, driver, platform, python, runs, *grades in kept["rows"]:
        rows.append(Row(gpu, driver, platform, python, runs, dict(zip(tools, map(Graded.read, grades), strict=True))))
    return Results(kept["date"], tuple(kept["versions"]), tools, tuple(rows))
