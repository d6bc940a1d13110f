"""Install commands for pip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Pin


def install_commands(pins: Sequence[Pin], platform: str, unchecked: Sequence[str] = ()) -> tuple[str, ...]:
    """One line: builds from another index carry their local version, which no other index can satisfy."""
    words = ["pip", "install"]
    indexes: dict[str, None] = {}
    for pin in pins:
        local = f"+{pin.build}" if pin.index and pin.build else ""
        words.append(quoted(f"{pin.project}=={pin.version}{local}", platform))
        if pin.index:
            indexes[pin.index] = None
    words += [quoted(text, platform) for text in unchecked]
    for index in indexes:
        words += ["--extra-index-url", index]
    return (" ".join(words),)
