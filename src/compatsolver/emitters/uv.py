"""Install commands for uv.

uv knows PyTorch's indexes by backend name. A second index beside the default one would not do: uv stops at the first
index that has a name. What it cannot express here: a build whose backend name is newer than the uv that is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters.quoting import quoted
from compatsolver.emitters.stages import stages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Pin

PYTORCH_INDEX = "https://download.pytorch.org/whl"
NEWEST_BACKEND = 132
"""uv 0.13 knows `cpu` and `cu80` to `cu132` (astral-sh/uv, crates/uv-torch/src/backend.rs)."""


def install_commands(pins: Sequence[Pin], platform: str, unchecked: Sequence[str] = ()) -> tuple[str, ...]:
    """One line, and one more for each package built beside the others; none where uv lacks a name for the index."""
    first, tools, built = stages(pins)
    words = ["uv", "pip", "install"]
    elsewhere = [pin for pin in pins if pin.index and pin.build]
    if not all(serves(pin) for pin in elsewhere):
        return ()
    words += [f"--torch-backend={backend}" for backend in sorted({pin.build for pin in elsewhere if pin.build})]
    wanted = [*(f"{pin.project}=={pin.version}" for pin in first), *tools, *unchecked]
    pinned = (quoted(f"{pin.project}=={pin.version}", platform) for pin in built)
    later = (f"uv pip install --no-build-isolation {text}" for text in pinned)
    return (" ".join([*words, *(quoted(text, platform) for text in wanted)]), *later)


def serves(pin: Pin) -> bool:
    """Whether uv has a name for the index of a pin: one of PyTorch's, and not newer than uv knows."""
    backend = pin.build or ""
    digits = backend.removeprefix("cu")
    is_known = backend == "cpu" or (digits.isdigit() and int(digits) <= NEWEST_BACKEND)
    return is_known and pin.index == f"{PYTORCH_INDEX}/{backend}"
