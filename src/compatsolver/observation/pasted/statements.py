"""Whether a line speaks of this machine, or of what is advised, required, or works somewhere else."""

from __future__ import annotations

import re

_ELSEWHERE = re.compile(
    r"\b(?:works?|worked|fails too|tried|tested|try|trying|instead|recommend\w*|set it|set the|please|should|must"
    r"|you can|you may|e\.g\.|for example|requires?|required|requirements?|requested|constraint|needs?|depends on"
    r"|only compatible|supports?|at least|no version|or (?:newer|later|higher|above|below)|upgrad\w+|downgrad\w+"
    r"|reinstall|use pip|built (?:for|with)|compiled|used to build|pip3? install|conda install|uv add|any of|matching"
    r"|was not found|most|is available|are available|because|conclude|older than|newer than|distribution"
    r"|successfully (?:un)?installed|uninstalling|found existing|attempting uninstall|collecting|downloading"
    r"|using cached)\b|-> (?:runs|ok|works)|>=|<=|~=|没问题|可以|建议|需要|升级|降级|正常",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^\s*(?:user|reporter|comment|maintainer|me)\s?:", re.IGNORECASE)


def is_statement(text: str) -> bool:
    """False for advice, requirements, steps of an installer and reports of what works elsewhere."""
    return not _ELSEWHERE.search(text) and not _SPEAKER.match(text)
