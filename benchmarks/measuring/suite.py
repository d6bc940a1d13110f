"""Every script in turn: one JSON document, one Markdown table, and a comparison with the figures of the baseline.

python -m measuring.suite [--turns N] [--output DIR]     write figures.json and figures.md
python -m measuring.suite --compare                      and name each ratio that is worse than the baseline's
python -m measuring.suite --keep                         and make these figures the baseline
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from measuring.records import VARIABLE, Figure, read_figures
from measuring.report import machine, versions

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

BENCHMARKS = Path(__file__).parents[1]
BASELINE = BENCHMARKS / "baseline.json"
TOLERANCE = 1.15
"""A ratio may be this much worse than the baseline's before it is called a regression."""


def main() -> int:
    options = _options()
    document = run(options.turns)
    options.output.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=2) + "\n"
    (options.output / "figures.json").write_text(text, encoding="utf-8")
    (options.output / "figures.md").write_text(table(document), encoding="utf-8")
    print(table(document))
    if options.keep:
        BASELINE.write_text(text, encoding="utf-8")
    if not options.compare:
        return 0
    worse = regressions(json.loads(BASELINE.read_text(encoding="utf-8")), document)
    print("\n".join(worse) or "no ratio is worse than the baseline's")
    return 1 if worse else 0


def run(turns: int | None) -> dict[str, Any]:
    """The figures of all scripts, with what they were taken on and the scripts that failed."""
    failed = []
    with TemporaryDirectory() as scratch:
        kept = Path(scratch) / "figures.jsonl"
        kept.touch()
        more = [] if turns is None else ["--turns", str(turns)]
        for script in sorted(BENCHMARKS.glob("*.py")):
            print(f"\n{script.name}", flush=True)
            done = subprocess.run(
                [sys.executable, str(script), *more], env=os.environ | {VARIABLE: str(kept)}, check=False
            )
            if done.returncode:
                failed.append(script.name)
        figures = read_figures(kept)
    return {
        "date": date.today().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "failed": failed,
        "figures": [figure._asdict() for figure in figures],
    }


def table(document: dict[str, Any]) -> str:
    """The figures as a table for people."""
    lines = [
        f"Taken on {document['date']}, {document['machine']}; {', '.join(document['versions'])}.",
        "",
        "| figure | ratio | half of the pairs in | pairs | goals |",
        "|---|---|---|---|---|",
    ]
    for figure in figures_of(document):
        spread = f"{figure.lower:.2f} to {figure.upper:.2f}"
        lines.append(f"| {figure.title} | {figure.ratio:.2f} | {spread} | {figure.pairs} | {figure.goals} |")
    lines += [f"\nDid not run to its end: {', '.join(document['failed'])}."] if document["failed"] else []
    return "\n".join(lines) + "\n"


def regressions(baseline: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """Each figure of the baseline that is missing now, or whose ratio is more than the tolerance worse."""
    now = {figure.title: figure for figure in figures_of(document)}
    return [line for before in figures_of(baseline) if (line := _worse(before, now.get(before.title)))]


def figures_of(document: dict[str, Any]) -> Sequence[Figure]:
    """The figures of a document."""
    return [Figure(**fields) for fields in document["figures"]]


def _worse(before: Figure, now: Figure | None) -> str | None:
    if now is None:
        return f"missing  {before.title}: {before.ratio:.2f} in the baseline"
    if now.ratio <= before.ratio * TOLERANCE:
        return None
    return f"worse    {before.title}: {before.ratio:.2f} → {now.ratio:.2f} ({now.ratio / before.ratio - 1:+.0%})"


def _options() -> Namespace:
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, help="how often subject and peer take turns")
    parser.add_argument("--output", type=Path, default=BENCHMARKS / "results", help="directory for what is written")
    parser.add_argument("--compare", action="store_true", help="compare with the baseline; exit code 1 where worse")
    parser.add_argument("--keep", action="store_true", help="make these figures the baseline")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
