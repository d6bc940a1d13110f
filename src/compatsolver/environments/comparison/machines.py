"""What is compared: environment documents, pastes, environments and locks, each understood as a stack with a name."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.builds import TORCH, builds_of
from compatsolver.errors import InputError
from compatsolver.explanation.diagnosis.locks import runtime_of
from compatsolver.explanation.fixes.stack import Stack, minor_of, stack_of
from compatsolver.files import read_bytes
from compatsolver.model.comparison import LOCK, MACHINE
from compatsolver.model.environment import Environment
from compatsolver.model.observation import DOCUMENT, PACKAGE, Observation, Reading
from compatsolver.model.request import Target
from compatsolver.observation.completion import complete
from compatsolver.observation.described import observations_of
from compatsolver.observation.environment import load_environment
from compatsolver.observation.pasted.read import read_pasted
from compatsolver.requirements.pylock import read_lock, read_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.lock import Lock

_LOCK = ".toml"
_DOCUMENTS = (".yaml", ".yml", ".json")
_LISTING = "package listing"
_RUNTIME = ("nvidia-cuda-runtime", "nvidia-cuda-runtime-cu13", "nvidia-cuda-runtime-cu12", "nvidia-cuda-runtime-cu11")
LARGEST = 64_000_000
"""Bytes of a paste; what is larger is none."""


class Machine(NamedTuple):
    """One of what is compared. `is_complete`: its packages are all that are installed, so that others are absent.

    That is so of a machine that was read, of a lock, and of a paste that is a listing of packages and nothing else.
    """

    name: str
    kind: str
    stack: Stack
    is_complete: bool

    @property
    def is_lock(self) -> bool:
        """Whether it says what should be installed, and not what is."""
        return self.kind == LOCK


def machines_of(catalog: Catalog, given: Sequence[str | Path | Environment]) -> tuple[Machine, ...]:
    """The inputs in the order of their names; raises InputError for fewer than two and for what cannot be read."""
    if len(given) < 2:
        raise InputError(
            f"{len(given) or 'no'} machine was given, and a comparison is of two or more",
            hint="make a document on each of them: compatsolver probe --format json > NAME.json",
        )
    inputs = [entry if isinstance(entry, Environment) else Path(entry) for entry in given]
    named = list(zip(_names(inputs), inputs, strict=True))
    machines = [_machine(catalog, name, entry) for name, entry in named if not _is_lock(entry)]
    locks = [_lock(catalog, name, path, machines) for name, path in named if isinstance(path, Path) and _is_lock(path)]
    return tuple(sorted([*machines, *locks], key=lambda machine: machine.name))


def _is_lock(entry: Path | Environment) -> bool:
    return isinstance(entry, Path) and entry.suffix == _LOCK


def _names(inputs: Sequence[Path | Environment]) -> list[str]:
    """The names of files without their ending, whole paths where two are the same, a number where those are too."""
    short = [f"machine {place}" if isinstance(entry, Environment) else entry.stem for place, entry in _numbered(inputs)]
    counts = Counter(short)
    names = [str(entry) if counts[name] > 1 else name for name, entry in zip(short, inputs, strict=True)]
    seen: Counter[str] = Counter()
    for place, name in enumerate(names):
        seen[name] += 1
        names[place] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _numbered(inputs: Iterable[Path | Environment]) -> Iterator[tuple[int, Path | Environment]]:
    return enumerate(inputs, start=1)


def _machine(catalog: Catalog, name: str, entry: Path | Environment) -> Machine:
    if isinstance(entry, Environment):
        reading, is_complete = observations_of(entry), bool(entry.observed)
    elif entry.suffix in _DOCUMENTS:
        environment = load_environment(entry)
        reading, is_complete = observations_of(environment), bool(environment.observed)
    else:
        reading = read_pasted(read_bytes(entry, LARGEST, "check the path"))
        is_complete = reading.readers == (_LISTING,)
    return Machine(name, MACHINE, _with_builds(catalog, _with_runtime(stack_of(catalog, reading))), is_complete)


def _with_runtime(stack: Stack) -> Stack:
    """pip does not print the build of a torch from the default index; the CUDA package that came with it tells it."""
    told = next((stack.packages[name] for name in _RUNTIME if name in stack.packages), None)
    is_open = stack.torch is not None and stack.cuda is None
    return replace(stack, cuda=minor_of(told)) if told and is_open else stack


def _with_builds(catalog: Catalog, stack: Stack) -> Stack:
    """Beside a torch that the default index serves, packages made for it are in its build, which pip does not print."""
    places = builds_of(catalog, stack)
    build = catalog.build(places[0]) if len(places) == 1 else None
    if build is None or build.index is None or not build.default_index:
        return stack
    local = catalog.components[TORCH].candidates[places[0]].build
    paired = [name for name, other in catalog.payload["paired"].items() if other == TORCH]
    bare = {name: stack.packages[name] for name in paired if stack.packages.get(name, "*").replace(".", "").isdigit()}
    return replace(stack, packages={**stack.packages, **{name: f"{text}+{local}" for name, text in bare.items()}})


def _lock(catalog: Catalog, name: str, path: Path, machines: Sequence[Machine]) -> Machine:
    """A lock as the packages that it installs on the target that suits the machines, else on its first."""
    lock = read_locked(path)
    target = _suited(lock, machines)
    pinned = read_lock(path, target or complete(Target(gpus=()), None)).requirements
    told = {PACKAGE + entry.name: entry.specifier.removeprefix("==") for entry in pinned}
    if target:
        known = {"python": target.python, "platform": target.host_platform}
        told |= {axis: value for axis, value in known.items() if value}
    if runtime := runtime_of(lock):
        told["torch_cuda"] = runtime
    read = tuple(Observation(axis, value, DOCUMENT, 0, f"{axis}: {value}") for axis, value in told.items())
    stack = stack_of(catalog, Reading(observations=read, readers=(DOCUMENT,)))
    return Machine(name, LOCK, _with_builds(catalog, stack), is_complete=True)


def _suited(lock: Lock, machines: Sequence[Machine]) -> Target | None:
    """The first target of a lock that some machine is of; None where the lock does not say what it was made for."""
    known = {(machine.stack.platform, str(machine.stack.python)) for machine in machines}
    suited = (target for target in lock.targets if (target.host_platform, target.python) in known)
    return next(suited, lock.targets[0] if lock.targets else None)
