"""Container images that hold a Python and nothing beside it: CUDA comes with the wheels, the driver from the host."""

from __future__ import annotations


def slim_python(python: str) -> str:
    """The official image of a minor version, as in `3.12`; there is none of a free-threaded Python."""
    return f"python:{python}-slim"
