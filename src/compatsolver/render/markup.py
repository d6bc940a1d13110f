"""Text made safe for Markdown."""

from __future__ import annotations

import re

_LINK_OR_SPECIAL = re.compile(r"(<https?://[^<>\s]+>)|[\\`*\[\]|<]|(?<!\w)_|_(?!\w)")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is; addresses in angle brackets stay links."""
    return _LINK_OR_SPECIAL.sub(lambda match: match[1] or "\\" + match[0], " ".join(text.split()))
