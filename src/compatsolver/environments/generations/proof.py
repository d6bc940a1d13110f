"""What is run in a new generation before it is taken into use: checks that compute, or imports where torch is not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from compatsolver.emitters.locked import asked
from compatsolver.environments.generations.home import LOCKED
from compatsolver.environments.generations.installers import interpreter_of
from compatsolver.errors import ProofFailed
from compatsolver.model.generation import NONE, QUICK, Proof
from compatsolver.model.validation import FAILED, PASSED, SKIPPED
from compatsolver.validation import session
from compatsolver.validation.imports import IMPORTS, imports_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.generations.order import Order
    from compatsolver.model.validation import CheckResult

QUICK_CHECKS = ("devices", "matmul-fp32", "convolution", "lora")
"""Beside the builds, which are always checked: memory, cuBLAS, cuDNN, and the libraries on them."""
_LAST_LINES = 6


def prove(catalog: Catalog, order: Order, path: Path, packages: Mapping[str, str]) -> Proof:
    """Run the checks that an order asks for in the environment at a path, in which these packages are.

    Raises ProofFailed where a check fails.
    """
    python = str(interpreter_of(path))
    if order.prove == NONE:
        return Proof()
    if "torch" not in packages:
        order.progress(IMPORTS.title)
        distributions = [package.name for package in asked(order.lock) if package.name in packages]
        results = _all_good(order.prove, [imports_of(python, distributions, path / LOCKED)])
        return Proof(order.prove, passed=_named(results, PASSED))
    only = QUICK_CHECKS if order.prove == QUICK else ()
    date = time.strftime("%Y-%m-%d", time.gmtime())
    report = session.validated(catalog, session.Order(date, python, order.device, path / LOCKED, only), order.progress)
    results = _all_good(order.prove, report.checks)
    return Proof(order.prove, report.device, report.confirmed, _named(results, PASSED), _named(results, SKIPPED))


def _named(results: Sequence[CheckResult], status: str) -> tuple[str, ...]:
    return tuple(result.name for result in results if result.status == status)


def _all_good(level: str, results: Sequence[CheckResult]) -> Sequence[CheckResult]:
    """The results, if none is a failure."""
    problems = tuple(line for result in results if result.status == FAILED for line in _problems(result))
    if problems:
        raise ProofFailed(level, problems)
    return results


def _problems(result: CheckResult) -> Iterator[str]:
    yield from (f"{result.name}: {problem}" for problem in result.problems)
    if result.diagnosis:
        yield from (f"{result.name}: {finding.kind}: {finding.summary}" for finding in result.diagnosis.findings)
    if result.is_broken:
        yield from result.output.splitlines()[-_LAST_LINES:]
