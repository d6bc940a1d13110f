"""Install commands for pip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters.quoting import quoted
from compatsolver.emitters.stages import stages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Pin


def install_commands(pins: Sequence[Pin], platform: str, unchecked: Sequence[str] = ()) -> tuple[str, ...]:
    """One line, and one more for each package that is built beside the others.

    Builds from another index carry their local version, which no other index can satisfy.
    """
    first, tools, built = stages(pins)
    words = ["pip", "install"]
    indexes: dict[str, None] = {}
    for pin in first:
        local = f"+{pin.build}" if pin.index and pin.build else ""
        words.append(quoted(f"{pin.project}=={pin.version}{local}", platform))
        if pin.index:
            indexes[pin.index] = None
    words += [quoted(text, platform) for text in (*tools, *unchecked)]
    for index in indexes:
        words += ["--extra-index-url", index]
    later = (f"pip install --no-build-isolation {quoted(f'{pin.project}=={pin.version}', platform)}" for pin in built)
    return (" ".join(words), *later)
