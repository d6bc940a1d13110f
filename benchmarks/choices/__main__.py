"""Ask every tool for the torch of every target, grade the answers, and write both down.

python -m choices [--peers DIR]    ask, grade, write results.json and the tables of docs/peers.md
python -m choices --render         the tables alone, from results.json
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from choices import ours
from choices.answers import Question
from choices.document import rendered
from choices.grading import UNCLAIMED, Graded, best_of, grade, is_sure, published
from choices.grid import GLIBC, targets
from choices.peers import PEERS, ask, environment
from choices.results import Results, Row, read, write
from compatsolver.authoring.load import load_tables
from measuring.report import versions
from oracle import Oracle

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from choices.answers import Answer
    from choices.grid import Target

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "peers.md"
RESULTS = Path(__file__).parent / "results.json"


def main() -> None:
    options = _options()
    if not options.render:
        with nullcontext(options.peers) if options.peers else TemporaryDirectory() as directory:
            write(RESULTS, results(environment(Path(directory))))
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8"), read(RESULTS)), encoding="utf-8")


def results(interpreter: Path) -> Results:
    """The graded answers of all tools to all targets."""
    oracle = Oracle(load_tables(ROOT / "data" / "matrices"))
    grid = targets()
    answers = answers_of(interpreter, [question(oracle, target) for target in grid])
    rows = [
        row_of(oracle, target, {name: given[number] for name, given in answers.items()})
        for number, target in enumerate(grid)
    ]
    return Results(date.today().isoformat(), tuple(versions()), tuple(answers), tuple(rows))


def question(oracle: Oracle, target: Target) -> Question:
    """A target as it is put to the tools."""
    wheels = tuple(f"{version}+{row.build}" for version, row in published(oracle, target) if is_sure(row))
    return Question(*target.gpu, target.driver, target.platform, target.python, GLIBC, wheels)


def answers_of(interpreter: Path, questions: Sequence[Question]) -> dict[str, list[Answer]]:
    """By tool what it answers to each question."""
    answers = {}
    for peer in PEERS:
        print(f"{peer.name} {peer.version}", file=sys.stderr, flush=True)
        answers[peer.name] = ask(peer, interpreter, questions)
    print(ours.NAME, file=sys.stderr, flush=True)
    return answers | {ours.NAME: [ours.ask(entry) for entry in questions]}


def row_of(oracle: Oracle, target: Target, answers: Mapping[str, Answer]) -> Row:
    """A target with the graded answers of the tools that claim its platform."""
    best = best_of(oracle, target)
    claims = {peer.name: peer.platforms for peer in PEERS}
    grades = {}
    for name, answer in answers.items():
        is_claimed = target.platform in claims.get(name, (target.platform,))
        grades[name] = grade(oracle, target, answer, best) if is_claimed else Graded(UNCLAIMED)
    return Row(target.gpu.name, target.driver, target.platform, target.python, best.runs, grades)


def _options() -> Namespace:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", type=Path, help="virtual environment of the peers, made there if missing and kept")
    parser.add_argument("--render", action="store_true", help="ask nobody; write the tables of the stored results")
    return parser.parse_args()


if __name__ == "__main__":
    main()
