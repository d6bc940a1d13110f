"""Lines of at most 80 columns, with a label in the margin where one is wanted."""

from __future__ import annotations

from textwrap import wrap

WIDTH = 80
MARGIN = 11
GREEN, RED, YELLOW = "32", "31", "33"


def printable(text: str) -> str:
    """Text of one line without control characters: what came from a file must not steer the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)


def wrapped(text: str, *, first: str = "", rest: str = "") -> list[str]:
    """Break `text` at spaces only, so that versions, flags and addresses stay whole even where they are too long.

    `first` and `rest` go before the first and the other lines. Control characters are dropped.
    """
    return wrap(
        printable(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def coloured(lines: list[str], colour: str) -> list[str]:
    """A headline in bold, and in a colour by its SGR code where one is given."""
    code = f"1;{colour}" if colour else "1"
    return [f"\x1b[{code}m{line}\x1b[0m" for line in lines]


def labelled(label: str, text: str) -> list[str]:
    """The text wrapped beside the margin that holds its label; no text, no lines."""
    return wrapped(text, first=label.ljust(MARGIN), rest=" " * MARGIN)
