"""Compatible versions of PyTorch, CUDA and the libraries on them, for the GPU and driver you have.

`resolve` answers with a plan or raises; the exceptions carry the proof or the missing facts.
"""

from __future__ import annotations

from compatsolver.api import Plan, check, explain, plan, resolve
from compatsolver.errors import (
    CatalogError,
    CompatError,
    InputError,
    InsufficientFacts,
    NoSolution,
    SolverLimit,
)
from compatsolver.model.environment import Environment
from compatsolver.model.request import Target

__all__ = [
    "CatalogError",
    "CompatError",
    "Environment",
    "InputError",
    "InsufficientFacts",
    "NoSolution",
    "Plan",
    "SolverLimit",
    "Target",
    "check",
    "explain",
    "plan",
    "resolve",
]
