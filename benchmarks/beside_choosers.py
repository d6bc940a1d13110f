"""P1: `resolve torch` against the tools that choose an index for torch, each as a process that is asked once."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from choices.answers import Question
from choices.peers import PEERS, write_questions
from measuring.command import HARDWARE, PYTHON
from measuring.pairs import processes_in_turns
from measuring.report import head, show, wanted_turns

TORCH = (sys.executable, "-m", "compatsolver", "resolve", "torch", *HARDWARE)
TOOLS = ("torchruntime", "light-the-torch")
WHEELS = ("2.15.0+cu132", "2.14.1+cu126", "2.14.1+cpu")
"""What light-the-torch has to choose from: too few to cost it time."""


def main() -> None:
    turns = wanted_turns(21)
    head(*TOOLS)
    question = Question("RTX 4090", "8.9", "2684", "535.98", "linux-x86_64", PYTHON, "2.35", WHEELS)
    given = f"torch; RTX 4090, driver 535.98, Python {PYTHON}, Linux; the peers' own functions, without their detection"
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "questions.json"
        write_questions(file, [question])
        for peer in (peer for peer in PEERS if peer.name in TOOLS):
            wall, processor = processes_in_turns(TORCH, (sys.executable, "-I", str(peer.script), str(file)), turns)
            title = f"P1  resolve torch ÷ {peer.name}"
            show(f"{title}, wall clock", given, wall, goals="no goal", unit="ms", scale=1e3)
            show(f"{title}, processor time", given, processor, goals="no goal", unit="ms", scale=1e3)


if __name__ == "__main__":
    main()
