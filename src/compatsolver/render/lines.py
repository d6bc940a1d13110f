"""Lines of at most 80 columns, with a label in the margin where one is wanted."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 80
MARGIN = 11


def wrapped(text: str, *, first: str = "", rest: str = "") -> list[str]:
    """Break `text` at spaces only, so that versions, flags and addresses stay whole even where they are too long.

    `first` and `rest` go before the first and the other lines. Control characters are dropped: text from a file must
    not steer the terminal.
    """
    plain = "".join(character if character.isprintable() else " " for character in text)
    return wrap(
        plain,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def labelled(label: str, texts: Iterable[str]) -> list[str]:
    """Each text wrapped beside the margin, the label before the first; no texts, no lines."""
    lines: list[str] = []
    for text in texts:
        lines += wrapped(text, first=("" if lines else label).ljust(MARGIN), rest=" " * MARGIN)
    return lines
