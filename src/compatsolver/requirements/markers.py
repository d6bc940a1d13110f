"""Environment markers, evaluated for the target and not for the interpreter that happens to run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.errors import InvalidRequirement
from compatsolver.model.markers import environments_of

if TYPE_CHECKING:
    from packaging.markers import Marker

    from compatsolver.model.request import Target

_NOT_IN_A_TARGET = re.compile(r"\bplatform_(?:release|version)\b")
_FULL_VERSION = re.compile(r"\b(?:python_full_version|implementation_version)\b")
_PATCHES = tuple(map(str, range(100)))
"""Of a Python whose patch release is not known: every one it may have, of which no minor had forty so far."""


def applies(marker: Marker, target: Target, text: str) -> bool:
    """Whether a requirement with this marker counts on a complete target; `text` is named in messages.

    Raises InvalidRequirement where the marker asks for what a target does not say: the kernel's release, or the patch
    release of a Python that was given as a minor version.
    """
    if _NOT_IN_A_TARGET.search(str(marker)):
        raise InvalidRequirement(
            f"{text!r} depends on the release of the operating system, which a target does not state",
            hint="leave the marker out, or the requirement",
        )
    patches = _PATCHES if _FULL_VERSION.search(str(marker)) else _PATCHES[:1]
    verdicts = {marker.evaluate(environment) for environment in environments_of(target, patches)}
    if len(verdicts) > 1:
        raise InvalidRequirement(
            f"{text!r} depends on the patch release of Python {target.python}",
            hint="give the Python in full, as in --python 3.11.7",
        )
    return verdicts.pop()
