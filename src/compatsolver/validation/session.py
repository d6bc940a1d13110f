"""A validation from its first check to its report: what is run, on which device, and what the results amount to."""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from compatsolver.errors import InputError, ProbeError
from compatsolver.model.validation import DEVICES, FAILED, PASSED, SKIPPED, CheckResult, ValidationReport
from compatsolver.validation.child import Ending, Limits, most_memory, run_child
from compatsolver.validation.comparison import against_catalogue, against_lock
from compatsolver.validation.failures import diagnosed
from compatsolver.validation.measurements import MEASUREMENTS, held_against_formula
from compatsolver.validation.suite import IDENTITY, SUITE, Check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.environment import Environment

NO_TIME = "the time for all checks is spent"
NO_TORCH = "torch cannot be imported"
CPU_ONLY = "the checks ran on a CPU, which says nothing about a GPU"


class Order(NamedTuple):
    """What to validate. `python` is an interpreter, None the running one; `only` names checks, empty means all.

    `sizing` adds measurements of memory. `date` is the day it is done, ISO 8601, UTC. `within` are the seconds for all
    checks together, None for as many as they take; `memory` is the most that one may take, in bytes. It is not limited
    on CUDA unless this says so: a CUDA process reserves more address space than it uses.
    """

    date: str
    python: str | None = None
    device: str = DEVICES[0]
    lock: Path | None = None
    only: tuple[str, ...] = ()
    sizing: bool = False
    within: float | None = None
    memory: int | None = None


class ValidationOptions(TypedDict, total=False):
    """What a validation may be told.

    `device`: `auto`, `cuda` or `cpu`. `lock`: a pylock.toml that the environment should be. `only`: names of checks.
    `sizing`: also measure memory. `within`: seconds for all checks together. `memory`: the most that one may take, in
    bytes. `progress`: called with the title of each check. `catalog`, `overlay`: as for `plan`.
    """

    device: str
    lock: str | Path | None
    only: Sequence[str]
    sizing: bool
    within: float | None
    memory: int | None
    progress: Callable[[str], None] | None
    catalog: str | Path | None
    overlay: Sequence[str | Path]


def order_of(python: str | None, options: ValidationOptions) -> Order:
    """What to validate today."""
    lock = options.get("lock")
    return Order(
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        python=python,
        device=options.get("device", DEVICES[0]),
        lock=Path(lock) if lock else None,
        only=tuple(options.get("only", ())),
        sizing=options.get("sizing", False),
        within=options.get("within"),
        memory=options.get("memory"),
    )


def validated(
    catalog: Catalog, order: Order, progress: Callable[[str], None] | None = None, suite: Sequence[Check] = SUITE
) -> ValidationReport:
    """Run the checks one after another; raises InputError where the order or the lock cannot be read."""
    suite = (*suite, *MEASUREMENTS) if order.sizing else suite
    python = _interpreter(order, suite)
    progress = progress or _silent
    progress(IDENTITY.title)
    first = result_of(IDENTITY, _run(python, IDENTITY, order, order.device))
    machine = _machine(python)
    device = _device(order.device, first, machine)
    if order.lock:
        first = against_lock(first, order.lock)
    results = [first, *map(held_against_formula, _others(python, order, device, first, progress, suite))]
    environment = described(results, machine, device)
    told = tuple(diagnosed(catalog, result, environment) for result in results)
    because = tuple(doubts(told, device, order, suite))
    return ValidationReport(
        status=FAILED if any(result.status == FAILED for result in told) else PASSED,
        device=device,
        confirmed=not because,
        because=because,
        date=order.date,
        catalog=catalog.identity(),
        lock=_named(order.lock),
        environment=environment,
        checks=told,
        proposed=against_catalogue(catalog, first, environment, device),
        notes=tuple(_notes(first, machine)),
    )


def _silent(_title: str) -> None:
    """Nobody is told."""


def _interpreter(order: Order, suite: Sequence[Check]) -> str:
    """The path of the interpreter, a link of a virtual environment left as it is: following it would leave that."""
    names = [check.name for check in (IDENTITY, *suite)]
    unknown = [name for name in order.only if name not in names]
    if unknown:
        raise InputError(f"there is no check {unknown[0]!r}", hint="use some of " + ", ".join(names))
    if order.device not in DEVICES:
        raise InputError(f"there is no device {order.device!r}", hint="use one of " + ", ".join(DEVICES))
    if order.python is None:
        return sys.executable
    found = shutil.which(order.python)
    if found is None:
        raise InputError(
            f"{order.python}: there is no interpreter here that can be run",
            hint="name the Python of the environment: --python path/to/environment/bin/python",
        )
    return os.path.abspath(found)  # noqa: PTH100


def _machine(python: str) -> Environment:
    """What this machine says of itself, and of the interpreter's environment where that can be read from its files."""
    from compatsolver.observation.live.collect import probe

    try:
        return probe(python=Path(python))
    except ProbeError:
        return probe()


def _device(asked: str, identity: CheckResult, machine: Environment) -> str:
    """A GPU that torch does not see is a finding, so `auto` means CUDA wherever there is or may be one."""
    if asked != DEVICES[0]:
        return asked
    seen = identity.numbers.get("torch", {}).get("available")
    return "cpu" if machine.gpu == () and not seen else "cuda"


def _others(
    python: str,
    order: Order,
    device: str,
    identity: CheckResult,
    progress: Callable[[str], None],
    suite: Sequence[Check],
) -> Iterator[CheckResult]:
    wanted = [check for check in suite if not order.only or check.name in order.only]
    end = time.monotonic() + (order.within or math.inf)
    for number, check in enumerate(wanted, 1):
        left = end - time.monotonic()
        reason = _reason(check, device, identity, left)
        if reason is None:
            progress(f"{number}/{len(wanted)} {check.title}")
            ending = _run(python, check, order, device, left)
            if not ending.late or left > check.seconds:
                yield result_of(check, ending)
                continue
            reason = NO_TIME
        yield CheckResult(check.name, check.title, SKIPPED, skipped=reason)


def _reason(check: Check, device: str, identity: CheckResult, left: float) -> str | None:
    """Why a check is not even started."""
    if device == "cpu" and not check.on_cpu:
        return "it is about GPUs"
    if "torch" not in identity.numbers:
        return NO_TORCH
    return None if left > 0 else NO_TIME


def _run(python: str, check: Check, order: Order, device: str, left: float = math.inf) -> Ending:
    settings: dict[str, Any] = {
        "script": check.script,
        "function": check.function,
        "device": device,
        "packages": list(check.packages),
        **check.settings,
    }
    memory = order.memory or (most_memory() if device == "cpu" else None)
    return run_child(python, settings, Limits(min(check.seconds, left), memory))


def result_of(check: Check, ending: Ending) -> CheckResult:
    """What a child's ending means: without a result of its own the check failed, however quietly it went."""
    found = ending.result
    if found is None:
        problem = f"the check gave no result: {ending.words}"
        return CheckResult(
            check.name,
            check.title,
            FAILED,
            round(ending.seconds, 3),
            ending.words,
            problems=(problem,),
            output=ending.output,
        )
    failed = found["status"] == FAILED
    return CheckResult(
        check.name,
        check.title,
        found["status"],
        round(ending.seconds, 3),
        ending.words,
        found.get("numbers", {}),
        tuple(found.get("problems", ())),
        found.get("skipped"),
        "\n".join(part for part in (ending.output.strip(), found.get("error", "").strip()) if part) if failed else "",
    )


def described(results: Sequence[CheckResult], machine: Environment, device: str) -> dict[str, Any]:
    """The environment that was validated."""
    numbers = results[0].numbers
    devices: Mapping[str, Any] = next((each.numbers for each in results if each.name == "devices"), {})
    return {
        "python": numbers.get("python"),
        "system": numbers.get("system"),
        "machine": numbers.get("machine"),
        "glibc": numbers.get("glibc"),
        "driver": machine.driver if device != "cpu" else None,
        "gpus": list(devices.get("devices", ())),
        "torch": numbers.get("torch"),
        "packages": dict(sorted(numbers.get("packages", {}).items())),
    }


def doubts(results: Sequence[CheckResult], device: str, order: Order, suite: Sequence[Check]) -> Iterator[str]:
    """Why no GPU is confirmed; nothing where one is."""
    failed = [result.name for result in results if result.status == FAILED]
    if failed:
        yield f"failed: {', '.join(failed)}"
    if device == "cpu":
        yield CPU_ONLY
        return
    optional = {check.name for check in suite if check.optional}
    lacking = [result.name for result in results if result.status == SKIPPED and result.name not in optional]
    if lacking:
        yield f"not run: {', '.join(lacking)}"
    if order.only:
        yield "only some checks were asked for"


def _notes(identity: CheckResult, machine: Environment) -> Iterator[str]:
    if "torch" not in identity.numbers:
        yield "without torch nothing computes; `compatsolver resolve` says how to install one that fits this machine"
    yield from machine.not_understood
    yield from (finding.summary for finding in machine.findings)


def _named(lock: Path | None) -> dict[str, str] | None:
    return {"file": lock.name, "digest": hashlib.sha256(lock.read_bytes()).hexdigest()} if lock else None
