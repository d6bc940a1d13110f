"""A change that mends what is broken, as findings and conflicts offer it."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from typing import Any, NamedTuple

SAFE, UNSAFE, DISPLAY_ONLY = "safe", "unsafe", "display-only"
MOST_FIXES = 5


class Fix(NamedTuple):
    """One change that mends a finding.

    `change` names what moves (a package, `driver`, `python`, …) and `to` where, `cuda` the runtime of the build meant.
    `applicability` is safe, unsafe (it reaches beyond the environment) or display-only (nothing here can do it);
    `verified` says that the whole problem was solved again with this change in place.
    """

    change: str
    action: str
    to: str | None = None
    cuda: str | None = None
    command: str | None = None
    applicability: str = SAFE
    verified: bool = False


def fix_documents(fixes: tuple[Fix, ...]) -> list[dict[str, Any]]:
    """Fixes in the published order of keys."""
    keys = ("change", "to", "cuda", "action", "command", "applicability", "verified")
    return [{key: getattr(fix, key) for key in keys} for fix in fixes]
