"""What is installed first and what after it, because its source distribution imports installed packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Pin


class Stages(NamedTuple):
    """Pins to install first, names of what later builds need beside them, pins to build after that."""

    first: tuple[Pin, ...]
    tools: tuple[str, ...]
    built: tuple[Pin, ...]


def stages(pins: Sequence[Pin]) -> Stages:
    """Tell the pins that are built without isolation from the others."""
    named = {pin.name for pin in pins}
    built = tuple(pin for pin in pins if pin.built_beside)
    needed = dict.fromkeys(name for pin in built for name in pin.built_beside if name not in named)
    return Stages(tuple(pin for pin in pins if not pin.built_beside), tuple(needed), built)
