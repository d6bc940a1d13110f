"""What makes a regular expression slow, read off its parsed form: work is counted in repeats, not in seconds."""

from __future__ import annotations

import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    from re import _constants as codes  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import sre_constants as codes
        import sre_parse as parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_TOO_OFTEN = 500
"""A repeat up to which a match may be tried anew at each place: a bound on steps for each character."""


def faults(pattern: str, flags: int = re.IGNORECASE) -> list[str]:
    """Why the work of a pattern can grow faster than the text; empty where it cannot."""
    tree: Any = parser.parse(pattern, flags)
    found = ["an endless repeat inside a repeat"] if any(_nested(tree, inside=None)) else []
    if any(_begins_endless(branch) for branch in _branches(tree)):
        found.append("begins with an endless repeat, so that each place of a run starts it anew")
    if any(_endless_anything(tree)):
        found.append("an endless run of anything, which each start walks to the end")
    return found


def _branches(items: Sequence[Any]) -> Iterator[list[Any]]:
    """The alternatives at the head of a pattern, each with what follows it."""
    if not items:
        return
    code, value = items[0]
    if code is codes.BRANCH:
        for branch in value[1]:
            yield from _branches([*branch, *items[1:]])
    elif code is codes.SUBPATTERN:
        yield from _branches([*value[3], *items[1:]])
    else:
        yield list(items)


def _begins_endless(items: Sequence[Any]) -> bool:
    """Whether a repeat without a bound stands before anything that has to be there; a look behind keeps it to one."""
    for code, value in items:
        if code in (codes.AT, codes.ASSERT_NOT, codes.ASSERT):
            if code is codes.AT or value[0] < 0:
                return False
            continue
        if code not in _REPEATS:
            return False
        low, high, _ = value
        if high > _TOO_OFTEN and len(value[2]) == 1:
            return True
        if low > 0:
            return False
    return False


def _nested(items: Sequence[Any], *, inside: int | None) -> Iterator[bool]:
    """`inside`: the character that each round of the endless repeat around begins with, 0 for any, None for none.

    A round that begins with a character which the inner repeat cannot match can be cut in one way only.
    """
    for code, value in items:
        if code in _REPEATS:
            _, high, body = value
            endless = high is codes.MAXREPEAT
            if inside is not None and endless and (not inside or _matches(body, inside)):
                yield True
            first = body[0][1] if body[0][0] is codes.LITERAL else 0
            yield from _nested(body, inside=first if endless and len(body) > 1 else inside)
        else:
            for body in _bodies(code, value):
                yield from _nested(body, inside=inside)


def _matches(body: Sequence[Any], letter: int) -> bool:
    """Whether a repeated class can match a character; False only where that is plain."""
    code, value = body[0]
    if len(body) != 1 or code is not codes.IN or chr(letter).isalnum():
        return True
    return any(kind not in (codes.CATEGORY, codes.LITERAL, codes.RANGE) or what == letter for kind, what in value)


def _endless_anything(items: Sequence[Any]) -> Iterator[bool]:
    """Such a run is harmless only in a look around that is anchored, which is tried once."""
    for place, (code, value) in enumerate(items):
        if code in _REPEATS:
            _, high, body = value
            wide = len(body) == 1 and body[0][0] in (codes.ANY, codes.NOT_LITERAL)
            wide = wide or (len(body) == 1 and body[0][0] is codes.IN and _is_wide(body[0][1]))
            if high is codes.MAXREPEAT and wide:
                yield True
        anchored = place > 0 and items[place - 1][0] is codes.AT
        if not (code in (codes.ASSERT, codes.ASSERT_NOT) and anchored):
            for body in _bodies(code, value):
                yield from _endless_anything(body)


def _is_wide(members: Sequence[Any]) -> bool:
    return members[0][0] is codes.NEGATE or ({code for code, _ in members} == {codes.CATEGORY} and len(members) > 1)


def _bodies(code: Any, value: Any) -> Iterator[Sequence[Any]]:
    if code is codes.SUBPATTERN:
        yield value[3]
    elif code is codes.BRANCH:
        yield from value[1]
    elif code in (codes.ASSERT, codes.ASSERT_NOT):
        yield value[1]
    elif code in _REPEATS:
        yield value[2]
