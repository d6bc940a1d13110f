"""P9: the largest resident set of the command against that of an interpreter that does nothing."""

from __future__ import annotations

from measuring.command import GIVEN, RESOLVE
from measuring.pairs import PASS, in_turns, peak_memory
from measuring.report import head, show, wanted_turns


def main() -> None:
    turns = min(11, wanted_turns(11))
    head()
    pairs = in_turns(lambda: peak_memory(RESOLVE), lambda: peak_memory(PASS), turns)
    show("P9  peak memory, resolve ÷ pass", GIVEN, pairs, goals="must be 2.0, stretch 1.4", unit="MiB", scale=1 / 1024)


if __name__ == "__main__":
    main()
