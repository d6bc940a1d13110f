"""How long the driver may take: one limit for all that is asked of it, since what hangs once hangs again."""

from __future__ import annotations

import time

DRIVER = 2.0
"""Seconds for NVML and nvidia-smi together."""


class Patience:
    """What is left of a number of seconds."""

    def __init__(self, seconds: float = DRIVER) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until it is spent, 0 where it is."""
        return max(0.0, self._end - time.monotonic())
