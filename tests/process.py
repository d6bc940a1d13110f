"""The command as a process, for the tests of `e2e`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "docs/schema/resolution.schema.json").read_text(encoding="utf-8"))
LINUX = ("--platform", "linux-x86_64", "--python", "3.12", "--glibc", "2.35")
RTX_4090 = ("--gpu", "RTX 4090", "--driver", "535.98", *LINUX)


def command(*arguments: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run `python -m compatsolver` with none of its own variables, and streams buffered as people have them."""
    settings.setdefault("stdout", subprocess.PIPE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COMPATSOLVER_")}
    environment |= {"PYTHONUNBUFFERED": "", **settings.pop("variables", {})}
    line = [sys.executable, "-m", "compatsolver", *map(str, arguments)]
    return subprocess.run(
        line, stderr=subprocess.PIPE, encoding="utf-8", env=environment, timeout=60, check=False, **settings
    )


def resolve(*arguments: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run `compatsolver resolve`."""
    return command("resolve", *arguments, **settings)


def assert_refused(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """Nothing on stdout; on stderr a headline, what to do next and the words; the contract's exit code."""
    message = " ".join(done.stderr.split())
    assert done.returncode == code, message
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in message
    assert "hint: " in message
    assert not [word for word in words if word not in message], message
