"""The closure: resolvelib over the shelf, with what the plan's problem lacked added until nothing is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from resolvelib import BaseReporter, Resolver
from resolvelib.resolvers import ResolutionImpossible, ResolutionTooDeep

from compatsolver.errors import EngineDisagreement
from compatsolver.locking.provider import Chosen, Provider
from compatsolver.locking.shelf import Unlisted
from compatsolver.locking.walk import Walk
from compatsolver.locking.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from resolvelib.resolvers import RequirementInformation

    from compatsolver.locking.releases import Release
    from compatsolver.locking.shelf import Shelf
    from compatsolver.locking.stack import Stack

MOST_ROUNDS = 10_000
"""Steps of resolvelib; a closure of seventy packages takes two hundred."""


class Node(NamedTuple):
    """One package of a closure, the extras of it in use, and the names of what it requires."""

    release: Release
    extras: tuple[str, ...]
    requires: tuple[str, ...]


class DeadEnd(NamedTuple):
    """No closure was found; what resolvelib met last. It proves nothing."""

    causes: Sequence[RequirementInformation[Wanted, Chosen]]


def close(
    shelf: Shelf,
    roots: Sequence[Wanted],
    stack_beside: Callable[[frozenset[str]], Stack],
    report: Callable[[str], None],
) -> tuple[Node, ...] | DeadEnd:
    """Everything that the roots need, by name; `stack_beside` makes the stack with more packages in its problem.

    Raises what the index client raises. A search of 10,000 steps without an answer is a dead end as well.
    """
    beside: set[str] = set()
    while True:
        try:
            return _closed(shelf, roots, report)
        except Unlisted as stranger:
            beside.add(stranger.wanted.name)
            shelf.stack = stack_beside(frozenset(beside))


def _closed(shelf: Shelf, roots: Sequence[Wanted], report: Callable[[str], None]) -> tuple[Node, ...] | DeadEnd:
    provider = Provider(shelf, report)
    resolver = Resolver(provider, BaseReporter[Wanted, Chosen, str]())
    with Walk(shelf) as walk:
        walk.follow([*_planned(shelf.stack), *roots])
        try:
            result = resolver.resolve(roots, max_rounds=MOST_ROUNDS)
        except ResolutionImpossible as failure:
            return DeadEnd(tuple(failure.causes))
        except ResolutionTooDeep:
            return DeadEnd(tuple(provider.met))
    nodes = _reached(shelf, roots, result.mapping)
    chosen = {node.release.name: node.release.position for node in nodes if node.release.position is not None}
    if not shelf.stack.certify(chosen):
        words = ", ".join(shelf.stack.words(name, place) for name, place in chosen.items())
        raise EngineDisagreement("the closure holds a stack that the solver refuses", case=words)
    return nodes


def _planned(stack: Stack) -> Iterable[Wanted]:
    """The packages of the plan, for fetching ahead."""
    first = next(iter(stack.positions("torch")), None)
    return (stack.demands("torch", first) or ()) if first is not None else ()


def _reached(shelf: Shelf, roots: Sequence[Wanted], mapping: Mapping[str, Chosen]) -> tuple[Node, ...]:
    """What the roots lead to by metadata alone: the catalogue ties packages together that need not be there."""
    requires: dict[str, dict[str, None]] = {}
    extras: dict[str, set[str]] = {}
    waiting = [(wanted.name, wanted.extra) for wanted in roots]
    seen = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        release = mapping[name].release
        needed = requires.setdefault(name, {})
        extras.setdefault(name, set()).update([extra] if extra else ())
        for wanted in shelf.required(release, extra):
            needed[wanted.name] = None
            if (wanted.name, wanted.extra) not in seen:
                seen.add((wanted.name, wanted.extra))
                waiting.append((wanted.name, wanted.extra))
        if extra and (name, "") not in seen:
            seen.add((name, ""))
            waiting.append((name, ""))
    return tuple(
        Node(mapping[name].release, tuple(sorted(extras[name])), tuple(sorted(set(requires[name]) - {name})))
        for name in sorted(requires)
    )
