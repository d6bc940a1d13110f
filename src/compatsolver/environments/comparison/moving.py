"""One machine thought of with the packages of another: what moves, and the machine that comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.traits import CUDNN, NCCL, builds_of, is_package, runtime_package
from compatsolver.model.component import NONE
from compatsolver.model.fix import UNSAFE, Fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.explanation.fixes.stack import Stack

TORCH = "torch"
_OF_NVIDIA = "nvidia-"


class Move(NamedTuple):
    """A package that another version takes the place of; None is not installed, before or after."""

    name: str
    before: str | None
    after: str | None


class Moved(NamedTuple):
    """A machine with the packages of another: what moved, which of it comes with torch by itself, what is left over.

    `leftovers` are libraries of another CUDA major, whose files those of torch's would share.
    """

    machine: Machine
    moves: tuple[Move, ...]
    brought: frozenset[str]
    leftovers: tuple[str, ...]
    python: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether nothing moved."""
        return not (self.moves or self.python)


def moved(catalog: Catalog, machine: Machine, model: Machine) -> Moved:
    """The machine with the Python and those packages of the model that the catalogue has rules on."""
    here, there = machine.stack, model.stack
    moves = tuple(_moves(catalog, machine, model))
    leftovers = _leftovers(here, there) if any(move.name == TORCH for move in moves) else ()
    packages = {name: text for name, text in here.packages.items() if name not in leftovers}
    packages |= {move.name: move.after for move in moves if move.after}
    for move in moves:
        if move.after is None:
            del packages[move.name]
    other_python = there.python is not None and here.python not in (None, there.python)
    stack = replace(
        here,
        torch=there.torch,
        tag=there.tag,
        cuda=there.cuda,
        python=there.python if other_python else here.python,
        packages=packages,
    )
    brought = frozenset(_brought(catalog, there, moves))
    python = str(there.python) if other_python else None
    return Moved(machine._replace(stack=stack), moves, brought, leftovers, python)


def fixes_of(change: Moved) -> Iterator[Fix]:
    """What moves, each as one sentence."""
    if change.python:
        action = f"Make the environment again with Python {change.python}."
        yield Fix("python", action, change.python, applicability=UNSAFE, verified=True)
    for move in change.moves:
        cuda = change.machine.stack.cuda if move.name == TORCH else None
        yield Fix(move.name, _action(move, change), move.after, None if cuda == NONE else cuda, verified=True)
    for name in change.leftovers:
        yield Fix(name, f"Uninstall {name}, whose files those of the other CUDA take the place of.", verified=True)


def build_of(catalog: Catalog, stack: Stack) -> Build | None:
    """The build that torch is, where it is known."""
    places = builds_of(catalog, stack)
    return catalog.build(places[0]) if len(places) == 1 else None


def spelled(catalog: Catalog, stack: Stack) -> str | None:
    """torch with its build, as an installer of PyTorch's index would print it, where the build is known."""
    places = builds_of(catalog, stack)
    if len(places) == 1:
        return catalog.components[TORCH].candidates[places[0]].spelling
    return stack.spelling if stack.torch and is_package(stack.torch) else None


def _moves(catalog: Catalog, machine: Machine, model: Machine) -> Iterator[Move]:
    torch = Move(TORCH, spelled(catalog, machine.stack), spelled(catalog, model.stack))
    if torch.after and torch.before != torch.after and (torch.before or machine.is_complete):
        yield torch
    here, there = machine.stack.packages, model.stack.packages
    runtimes = {name for library in (NCCL, CUDNN) if (name := runtime_package(model.stack, library))}
    listed = {name for name in {*here, *there} if _has_rules(catalog, name)}
    for name in sorted(listed | runtimes):
        before, after = here.get(name), there.get(name)
        if any(text is not None and not is_package(text) for text in (before, after)) or before == after:
            continue
        if (before is None and not machine.is_complete) or (after is None and not _lacks(model)):
            continue
        yield Move(name, before, after)


def _has_rules(catalog: Catalog, name: str) -> bool:
    return name != TORCH and name in catalog.components and catalog.components[name].kind == "package"


def _lacks(model: Machine) -> bool:
    """Whether what the model does not name is not wanted; what a lock does not name is no matter."""
    return model.is_complete and not model.is_lock


def _leftovers(here: Stack, there: Stack) -> tuple[str, ...]:
    majors = {(stack.cuda or NONE).partition(".")[0] for stack in (here, there)}
    if len(majors) == 1 or NONE in majors:
        return ()
    return tuple(sorted(name for name in here.packages if name.startswith(_OF_NVIDIA) and name not in there.packages))


def _brought(catalog: Catalog, there: Stack, moves: tuple[Move, ...]) -> Iterator[str]:
    """The libraries that an installation of torch brings in the wanted version."""
    build = build_of(catalog, there)
    if build is None or all(move.name != TORCH for move in moves):
        return
    pinned = {runtime_package(there, NCCL): build.nccl, runtime_package(there, CUDNN): build.cudnn}
    yield from (move.name for move in moves if move.after and pinned.get(move.name) == move.after)


def _action(move: Move, change: Moved) -> str:
    if move.after is None:
        return f"Uninstall {move.name} {move.before}."
    if move.name in change.brought:
        return f"{move.name} {move.after} comes with torch."
    instead = f" in place of {move.before}" if move.before else ""
    return f"Install {move.name} {move.after}{instead}."
