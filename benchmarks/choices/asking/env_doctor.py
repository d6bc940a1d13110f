"""env-doctor: what `env-doctor install torch` prints for a driver, with the tables that come with the package."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from env_doctor import db

BUNDLED = db.load_bundled_json()
db.DRIVER_TO_CUDA, db.RECOMMENDATIONS = BUNDLED["driver_to_cuda"], BUNDLED["recommendations"]


def answer(entry: dict[str, Any]) -> dict[str, Any]:
    command = db.get_install_command("torch", db.get_max_cuda_for_driver(entry["driver"]))
    pinned, index = re.search(r"\btorch==([\d.]+)(?:\+(\w+))?", command), re.search(r"/whl/(cu\d+|cpu)", command)
    if not command.startswith("pip install"):
        return {"indexes": [], "version": None}
    build = (pinned and pinned[2]) or (index and index[1]) or "default"
    return {"indexes": [build], "version": pinned and pinned[1]}


print(json.dumps([answer(entry) for entry in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]))
