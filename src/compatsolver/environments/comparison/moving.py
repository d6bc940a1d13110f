"""One machine thought of with the packages of another: what moves, and the machine that comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.builds import CUDNN, NCCL, TORCH, is_package, pinned, runtime_package, spelled
from compatsolver.model.component import NONE
from compatsolver.model.fix import SAFE, UNSAFE, Fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.explanation.fixes.stack import Stack

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
    moves: tuple[Move, ...] = ()
    brought: frozenset[str] = frozenset()
    leftovers: tuple[str, ...] = ()
    python: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether nothing moved."""
        return not (self.moves or self.python)


def moved(catalog: Catalog, machine: Machine, model: Machine) -> Moved:
    """The machine with the Python and those packages of the model that the catalogue has rules on."""
    here, there = machine.stack, replace(model.stack, platform=machine.stack.platform or model.stack.platform)
    torch = tuple(_torch(catalog, machine, there))
    libraries = tuple(_libraries(catalog, machine, there, bool(torch)))
    moves = (*torch, *libraries, *_packages(catalog, machine, model))
    leftovers = _leftovers(here, there) if torch else ()
    gone = {*leftovers, *(move.name for move in moves if move.after is None)}
    packages = {name: text for name, text in here.packages.items() if name not in gone}
    packages |= {move.name: move.after for move in moves if move.after}
    python = there.python if here.python and there.python else here.python
    stack = replace(here, torch=there.torch, tag=there.tag, cuda=there.cuda, python=python, packages=packages)
    required = pinned(catalog, there) if torch else {}
    brought = frozenset(move.name for move in libraries if required.get(move.name) == move.after)
    other_python = None if python == here.python else str(python)
    return Moved(machine._replace(stack=stack), moves, brought, leftovers, other_python)


def fixes_of(change: Moved) -> Iterator[Fix]:
    """What moves, each as one sentence."""
    if change.python:
        action = f"Make the environment again with Python {change.python}."
        yield Fix("python", action, change.python, applicability=UNSAFE)
    for move in change.moves:
        cuda = change.machine.stack.cuda if move.name == TORCH else None
        applicability = SAFE if move.after else UNSAFE
        yield Fix(move.name, _action(move, change), move.after, None if cuda == NONE else cuda, None, applicability)
    for name in change.leftovers:
        yield Fix(name, f"Uninstall {name}, whose files those of the other CUDA take the place of.")


def _torch(catalog: Catalog, machine: Machine, there: Stack) -> Iterator[Move]:
    move = Move(TORCH, spelled(catalog, machine.stack), spelled(catalog, there))
    if move.after and move.before != move.after and (move.before or machine.is_complete):
        yield move


def _libraries(catalog: Catalog, machine: Machine, there: Stack, with_torch: bool) -> Iterator[Move]:
    """NCCL and cuDNN in the versions of the model; where it does not name their packages, as torch brings them."""
    here = machine.stack.packages
    wanted = pinned(catalog, there) if with_torch else {}
    names = [runtime_package(there, library) for library in (NCCL, CUDNN)]
    wanted |= {name: there.packages[name] for name in names if name}
    for name, after in sorted(wanted.items()):
        is_known = name in here or (machine.is_complete and name in there.packages)
        if is_known and here.get(name) != after:
            yield Move(name, here.get(name), after)


def _packages(catalog: Catalog, machine: Machine, model: Machine) -> Iterator[Move]:
    here, there = machine.stack.packages, model.stack.packages
    for name in sorted(name for name in {*here, *there} if _has_rules(catalog, name)):
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


def _action(move: Move, change: Moved) -> str:
    if move.after is None:
        return f"Uninstall {move.name} {move.before}."
    if move.name in change.brought:
        return f"{move.name} {move.after} comes with torch."
    instead = f" in place of {move.before}" if move.before else ""
    return f"Install {move.name} {move.after}{instead}."
