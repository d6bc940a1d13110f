"""Text made safe for Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.render.lines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LINK_OR_SPECIAL = re.compile(r"(<https?://[^<>\s]+>)|[\\`*\[\]|<]|(?<!\w)_|_(?!\w)")


def page(parts: Iterable[Sequence[str]]) -> str:
    """Blocks of lines with a blank line between them, without control characters; a newline at the end."""
    text = "\n\n".join("\n".join(lines) for lines in parts if lines)
    return "\n".join(map(printable, text.split("\n"))) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is; addresses in angle brackets stay links."""
    return _LINK_OR_SPECIAL.sub(lambda match: match[1] or "\\" + match[0], " ".join(text.split()))
