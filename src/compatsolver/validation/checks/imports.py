"""Whether what is installed can be imported, for environments without torch to compute with."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import distribution
from pathlib import PurePath
from typing import Any


def imports(settings: dict[str, Any]) -> dict[str, Any]:
    """Import what the distributions put at the top of the module path."""
    imported, problems = [], []
    for name in settings["distributions"]:
        for module in _modules(name):
            try:
                import_module(module)
                imported.append(module)
            except Exception as error:
                problems.append(f"import {module}: {type(error).__name__}: {error}")
    numbers = settings["load"]("identity").interpreter()
    return {"numbers": {**numbers, "imported": imported}, "problems": problems}


def _modules(name: str) -> list[str]:
    """Modules and packages with an `__init__`, in the order of their names; namespaces belong to nobody."""
    found = set()
    for file in distribution(name).files or ():
        parts = PurePath(file).parts
        is_package = len(parts) == 2 and parts[1] == "__init__.py"
        is_module = len(parts) == 1 and parts[0].endswith((".py", ".so", ".pyd"))
        if is_package or is_module:
            found.add(parts[0].partition(".")[0])
    return sorted(module for module in found if module.isidentifier())
