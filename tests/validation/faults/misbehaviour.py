"""Checks that go wrong, each in its own way."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FOREVER = 600


def fine(settings: dict[str, Any]) -> dict[str, Any]:
    """Nothing is wrong, though somebody printed on top of it."""
    sys.stdout.write('{"status": "failed"}\n')
    os.write(1, bytes(range(256)))
    return {"numbers": {"answer": 42}}


def segfault(settings: dict[str, Any]) -> dict[str, Any]:
    """Read where nothing is."""
    ctypes.string_at(0)
    return {}


def hang(settings: dict[str, Any]) -> dict[str, Any]:
    """Wait, deaf to polite requests."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(FOREVER)
    return {}


def hog(settings: dict[str, Any]) -> dict[str, Any]:
    """Allocate without end."""
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def chatter(settings: dict[str, Any]) -> dict[str, Any]:
    """Print much more than a pipe holds, and no result that can be read."""
    for _ in range(200):
        os.write(1, b"\x00\xffgarbage" * 5000)
    os.write(1, b"the last words\n")
    Path(settings["result"]).write_bytes(b"\x00\xff not json")
    os._exit(0)


def orphan(settings: dict[str, Any]) -> dict[str, Any]:
    """Leave a process behind that holds the output open."""
    left = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})"])
    return {"numbers": {"left": left.pid}}


def wrong(settings: dict[str, Any]) -> dict[str, Any]:
    """Compute, and be wrong."""
    return {
        "numbers": {"relative_error": 0.5, "losses": [float("nan")]},
        "problems": ["relative error 0.5 is above 1e-05"],
    }


def cudnn(settings: dict[str, Any]) -> dict[str, Any]:
    """Fail as torch does where another cuDNN is found than it was built with."""
    raise RuntimeError(
        "cuDNN version incompatibility: PyTorch was compiled  against (9, 10, 2) but found runtime version (8, 9, 2). "
        "PyTorch already comes with bundled cuDNN."
    )


def needs_peft(settings: dict[str, Any]) -> dict[str, Any]:
    """Import what is not there."""
    import peft

    return {"numbers": {"peft": peft.__version__}}
