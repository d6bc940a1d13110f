"""What is installed first and what after it, because its source distribution imports installed packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Pin


def stages(pins: Sequence[Pin]) -> tuple[list[Pin], list[str], list[Pin]]:
    """Pins to install first, names of what later builds need beside them, and pins to build after that."""
    named = {pin.name for pin in pins}
    built = [pin for pin in pins if pin.built_beside]
    needed = dict.fromkeys(name for pin in built for name in pin.built_beside if name not in named)
    return [pin for pin in pins if not pin.built_beside], list(needed), built
