"""torchruntime: its look-up of PCI devices and its choice for them, with system, machine and Python of the target."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from torchruntime import platform_detection
from torchruntime.device_db import get_device_infos

NVIDIA = "10de"


def answer(entry: dict[str, Any]) -> dict[str, Any]:
    system, _, machine = entry["platform"].partition("-")
    platform_detection.os_name = system.title()
    platform_detection.arch = "amd64" if system == "windows" else machine
    platform_detection.py_version = tuple(map(int, entry["python"].split(".")))
    try:
        platform = platform_detection.get_torch_platform(get_device_infos([(NVIDIA, entry["device"])]), ["torch"])
    except NotImplementedError:
        return {"indexes": [], "version": None}
    # Its installer gives pip no index for `cpu`, so that is the default one.
    return {"indexes": ["default" if platform == "cpu" else platform], "version": None}


print(json.dumps([answer(entry) for entry in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]))
