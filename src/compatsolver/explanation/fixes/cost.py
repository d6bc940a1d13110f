"""What a change costs the person who makes it: the order in which fixes are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compatsolver.model.fix import Fix

SAME_RELEASE, NEWER, OLDER, OTHER = 0, 1, 2, 3
"""How far a package moves: another build of its release, up, down, or something that is no release of it."""

SUBJECTS = {
    "env": 5,
    "none": 5,
    "code": 10,
    "nvcc": 40,
    "gcc": 40,
    "python": 50,
    "container": 60,
    "glibc": 65,
    "os": 70,
    "system": 70,
    "driver": 80,
    "gpu": 100,
}
"""What changes apart from packages, with its cost."""
_OF_PACKAGE = 15
_WIDTH = {SAME_RELEASE: 0, NEWER: 2, OLDER: 4, OTHER: 6}


def cost(fix: Fix, distance: int = OTHER) -> int:
    """Hardware costs most, then driver, system, Python, a package; a release that stays is cheapest.

    Another release of torch costs a little more than one of a package beside it, for others belong to torch's.
    """
    moves_torch = fix.change == "torch" and distance in (NEWER, OLDER)
    return SUBJECTS.get(fix.change, _OF_PACKAGE + _WIDTH[distance] + moves_torch)
