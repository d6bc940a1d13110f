"""Does a driver or a C library hold a stack back? The catalogue's rules are asked, for no number stands here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.fixes.premises import problem_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack

EVERY_RULE: frozenset[str] = frozenset()
"""Also those on what can be installed where: the stack of one machine is thought of on another."""


def refused(catalog: Catalog, stacks: Iterable[Stack], slot: str) -> Stack | None:
    """The packages of one of the machines on another, of which something in a slot does not run them, if any do not."""
    stacks = list(stacks)
    software = {_software(stack): stack for stack in stacks}.values()
    hosts = {_host(stack): stack for stack in stacks}.values()
    pairs = {key_of(both): both for one in software for host in hosts for both in [brought(one, host)]}
    return next((both for both in pairs.values() if _is_refused(catalog, both, slot)), None)


def _is_refused(catalog: Catalog, stack: Stack, slot: str) -> bool:
    problem = problem_of(catalog, stack, without=EVERY_RULE)
    return any(entry.slot == slot for core in independent_cores(problem) for entry in core)


def brought(software: Stack, host: Stack) -> Stack:
    """The packages and the Python of one machine on another."""
    return replace(
        software,
        gpus=host.gpus,
        driver=host.driver,
        ceiling=host.ceiling,
        platform=host.platform or software.platform,
        glibc=host.glibc,
    )


def _software(stack: Stack) -> tuple[object, ...]:
    return stack.torch, stack.tag, stack.cuda, stack.python, tuple(sorted(stack.packages.items()))


def _host(stack: Stack) -> tuple[object, ...]:
    return stack.gpus, stack.ambiguous, stack.driver, stack.ceiling, stack.platform, stack.glibc


def key_of(stack: Stack) -> tuple[object, ...]:
    """What the rules are asked about of a stack: two with the same key get the same answers."""
    return (*_software(stack), *_host(stack))
