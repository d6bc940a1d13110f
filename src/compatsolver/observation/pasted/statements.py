"""Whether a line speaks of this machine, or of what is advised, required, or works somewhere else."""

from __future__ import annotations

import re

_ELSEWHERE = re.compile(
    r"\b(?:works?|worked|fails too|tried|tested|instead|recommend\w*|set it|set the|please|should|must|you can|you may|try"
    r"|trying|e\.g\.|for example"
    r"|requires?|required|requirements?|requested|constraint|needs?|depends on|only compatible|supports?|at "
    r"least|no version"
    r"|or (?:newer|later|higher|above|below)|upgrad\w+|downgrad\w+|reinstall|use pip|built (?:for|with)"
    r"|compiled|used to build"
    r"|pip3? install|conda install|uv add|any of|matching|was not found|most|is available|are available"
    r"|because|conclude|older than|newer than|distribution"
    r"|successfully (?:un)?installed|uninstalling|found existing|attempting uninstall|collecting|downloading"
    r"|using cached)\b"
    r"|-> (?:runs|ok|works)|>=|<=|~=|没问题|可以|建议|需要|升级|降级|正常",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^\s*(?:user|reporter|comment|maintainer|me)\s?:", re.IGNORECASE)


def is_statement(text: str) -> bool:
    """False for advice, requirements, steps of an installer and reports of what works elsewhere."""
    return not _ELSEWHERE.search(text) and not _SPEAKER.match(text)
