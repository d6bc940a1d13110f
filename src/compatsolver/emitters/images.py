"""Container images that hold a Python and nothing beside it: CUDA comes with the wheels, the driver from the host."""

from __future__ import annotations


def slim_python(python: str) -> str | None:
    """The image of a minor version; None for a free-threaded Python, of which no official image is made."""
    return None if python.endswith("t") else f"python:{python}-slim"
