"""uv: `uv pip compile --torch-backend auto`, offline; its log names the indexes, which it takes newest CUDA first.

Without a network it finds nothing, and that is not its answer: what it asks for is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from uv import find_uv_bin

PLATFORMS = {
    "linux-x86_64": "x86_64-manylinux_2_35",
    "linux-aarch64": "aarch64-manylinux_2_35",
    "windows-x86_64": "x86_64-pc-windows-msvc",
}
REQUEST = re.compile(r"/whl/(cu\d+|cpu)/torch/")


@cache
def indexes(driver: str, platform: str) -> list[str]:
    with TemporaryDirectory() as scratch:
        Path(scratch, "requirements.in").write_text("torch\n", encoding="utf-8")
        asked = ("pip", "compile", "requirements.in", "--torch-backend", "auto", "--verbose")
        target = ("--python", sys.executable, "--python-platform", PLATFORMS[platform])
        line = (find_uv_bin(), *asked, *target, "--offline", "--no-cache", "--no-config")
        variables = os.environ | {"UV_CUDA_DRIVER_VERSION": driver}
        log = subprocess.run(line, cwd=scratch, env=variables, stderr=subprocess.PIPE, text=True, check=False).stderr
    named = set(REQUEST.findall(log))
    if not named:
        raise SystemExit(log)
    return sorted(named, key=lambda name: 0 if name == "cpu" else int(name[2:]), reverse=True)


entries = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
print(json.dumps([{"indexes": indexes(entry["driver"], entry["platform"]), "version": None} for entry in entries]))
