"""Compatible versions of PyTorch, CUDA and the libraries on them, for the GPU and driver you have.

`resolve` answers with a plan or raises; the exceptions carry the proof or the missing facts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from compatsolver.errors import (
    BuildFailed,
    CatalogError,
    CompatError,
    HashMismatch,
    IndexUnavailable,
    InputError,
    InsufficientFacts,
    NoClosure,
    NoSolution,
    NotCached,
    ProbeError,
    ProofFailed,
    SolverLimit,
)

if TYPE_CHECKING:
    from compatsolver.api import (
        Plan,
        check,
        compare,
        explain,
        facts,
        fit,
        init,
        lock,
        matrix,
        plan,
        probe,
        resolve,
        sync,
        validate,
    )
    from compatsolver.environments.generations.entrance import generations, rollback
    from compatsolver.model.environment import Environment
    from compatsolver.model.memory import Training
    from compatsolver.model.request import Target

__all__ = [
    "BuildFailed",
    "CatalogError",
    "CompatError",
    "Environment",
    "HashMismatch",
    "IndexUnavailable",
    "InputError",
    "InsufficientFacts",
    "NoClosure",
    "NoSolution",
    "NotCached",
    "Plan",
    "ProbeError",
    "ProofFailed",
    "SolverLimit",
    "Target",
    "Training",
    "check",
    "compare",
    "explain",
    "facts",
    "fit",
    "generations",
    "init",
    "lock",
    "matrix",
    "plan",
    "probe",
    "resolve",
    "rollback",
    "sync",
    "validate",
]

_OF_THE_API = (
    "Plan",
    "check",
    "compare",
    "explain",
    "facts",
    "fit",
    "init",
    "lock",
    "matrix",
    "plan",
    "probe",
    "resolve",
    "sync",
    "validate",
)
_HOMES = dict.fromkeys(_OF_THE_API, "compatsolver.api") | {
    "Environment": "compatsolver.model.environment",
    "Target": "compatsolver.model.request",
    "Training": "compatsolver.model.memory",
    "generations": "compatsolver.environments.generations.entrance",
    "rollback": "compatsolver.environments.generations.entrance",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the package costs next to nothing (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
