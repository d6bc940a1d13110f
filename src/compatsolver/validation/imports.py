"""The one check for an environment without torch: versions as locked, and what was asked for can be imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.validation.child import Limits, run_child
from compatsolver.validation.comparison import against_lock
from compatsolver.validation.session import result_of
from compatsolver.validation.suite import Check

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.model.validation import CheckResult

IMPORTS = Check("imports", "versions and imports", "imports", "imports")


def imports_of(python: str, distributions: Sequence[str], lock: Path) -> CheckResult:
    """Import distributions in an interpreter and hold its packages against a lock; raises InputError."""
    settings = {"script": IMPORTS.script, "function": IMPORTS.function, "packages": [], "distributions": distributions}
    ending = run_child(python, settings, Limits(IMPORTS.seconds))
    return against_lock(result_of(IMPORTS, ending), lock)
