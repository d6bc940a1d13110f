"""Run one check in the interpreter that is validated: by path, with the standard library and the stack alone.

The only argument is a JSON object: `script`, `function`, `device`, `result` (the file that gets the one line of JSON),
`seconds`, `memory` (bytes or null), `packages` (without which the check is skipped) and what the check itself takes.
A check takes the object, with `load` for scripts beside it, and returns one with `numbers`, `problems` and `skipped`,
each of them optional; any problem is a failure. What it prints goes where its parent sends it and is no result.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import json
import math
import pathlib
import sys
import traceback
from typing import Any


def main() -> None:
    """Do the check, write what came of it and leave without waiting for threads that it left behind."""
    settings = json.loads(sys.argv[1])
    faulthandler.enable()
    if settings["seconds"]:
        faulthandler.dump_traceback_later(settings["seconds"], exit=True)
    _limit(settings["memory"])
    sys.path[:] = [entry for entry in sys.path if entry != str(pathlib.Path(__file__).parent)]
    result = _finite(_checked(settings))
    pathlib.Path(settings["result"]).write_text(json.dumps(result, allow_nan=False) + "\n", encoding="utf-8")


def _limit(memory: int | None) -> None:
    """No core file; no more private memory than allowed. Where the system has no such limits there are none."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _checked(settings: dict[str, Any]) -> dict[str, Any]:
    try:
        check = getattr(load(settings["script"]), settings["function"])
        result = check({**settings, "load": load})
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in settings["packages"]:
            return {"status": "skipped", "skipped": f"{package} is not installed"}
        return _failed(error)
    except BaseException as error:
        return _failed(error)
    if "skipped" in result:
        return {"status": "skipped", **result}
    return {"status": "failed" if result.get("problems") else "passed", **result}


def _finite(value: Any) -> Any:
    """The value with null for each number that JSON cannot write."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def load(name: str) -> Any:
    """The script of that name beside this one, or the one at a path; by path, because a folder on the module path would
    hide the packages that are named as its files are.
    """
    path = pathlib.Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"compatsolver_check_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _failed(error: BaseException) -> dict[str, Any]:
    headline = "".join(traceback.format_exception_only(type(error), error)).strip()
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return {"status": "failed", "problems": [headline], "error": "".join(lines)}


if __name__ == "__main__":
    main()
