"""rigsolve: `rigsolve solve --want torch --target …`; the target is told by name and by capability."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from rigsolve.cli import main


def answer(entry: dict[str, Any]) -> dict[str, Any]:
    system, _, machine = entry["platform"].partition("-")
    target = (
        f"{entry['gpu']},cc={entry['capability']},driver={entry['driver']},python={entry['python']},{system},{machine}"
    )
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        code = main(["solve", "--want", "torch", "--output", "json", "--target", target])
    if code:
        return {"indexes": [], "version": None}
    (step,) = [step for step in json.loads(printed.getvalue())["steps"] if step["package"] == "torch"]
    index = step["index_url"]
    return {"indexes": [index.rstrip("/").rpartition("/")[2] if index else "default"], "version": step["version"]}


print(json.dumps([answer(entry) for entry in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]))
