"""Fixes as text and as Markdown, the same under a diagnosis and under a conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.render.lines import wrapped
from compatsolver.render.markup import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.fix import Fix

_REACH = {"unsafe": "reaches beyond this environment", "display-only": "not done by a command here"}


def fix_lines(fixes: Sequence[Fix]) -> list[str]:
    """The fixes numbered, at 80 columns; command lines stay whole."""
    lines = [_title(fixes)] if fixes else []
    for number, fix in enumerate(fixes, start=1):
        lines += wrapped(f"{fix.action} ({_remark(fix)})", first=f"  {number}. ", rest="     ")
        lines += [f"       {line}" for line in (fix.command or "").splitlines()]
    return lines


def fix_markdown(fixes: Sequence[Fix]) -> list[str]:
    """The fixes as a numbered list, each command in a block of its own."""
    lines = [_title(fixes), ""] if fixes else []
    for number, fix in enumerate(fixes, start=1):
        lines.append(f"{number}. {escaped(fix.action)} *({escaped(_remark(fix))})*")
        if fix.command:
            lines += ["", "   ```", *(f"   {line}" for line in fix.command.splitlines()), "   ```", ""]
    return lines


def _title(fixes: Sequence[Fix]) -> str:
    return "what mends it, cheapest first:" if len(fixes) > 1 else "what mends it:"


def _remark(fix: Fix) -> str:
    """What to know of a fix before it is made."""
    parts = ["solved again" if fix.verified else "not solved again", _REACH.get(fix.applicability, "")]
    return "; ".join(part for part in parts if part)
