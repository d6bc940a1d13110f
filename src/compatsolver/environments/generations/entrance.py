"""Make the environment of a lock: build beside the one in use, prove, and only then let it take its place."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.environments.generations import home as homes
from compatsolver.environments.generations.building import build, packages_in
from compatsolver.environments.generations.installers import interpreter_of
from compatsolver.environments.generations.order import ENVIRONMENT
from compatsolver.errors import CompatError, InputError, ProbeError
from compatsolver.model.generation import BUILT, SWITCHED, UNCHANGED, Generation, Generations, Synced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.generations.home import Home
    from compatsolver.environments.generations.order import Order

INTERRUPTED = "what an interrupted run left behind was removed"


def synced(catalog: Catalog, order: Order) -> Synced:
    """Have the environment be what the lock says.

    Raises InputError, ProbeError, BuildFailed and ProofFailed; after each of them the environment is what it was.
    """
    home = homes.home_of(order.environment)
    with _told(home, order.tell), homes.held(home, order.tell if order.wait else None):
        found = homes.kept(home)
        interrupted = (INTERRUPTED,) if homes.clean(home) else ()
        previous = homes.active(home, found)
        chosen, notes = _of_the_lock(home, order, found, previous)
        if chosen and chosen == previous and chosen.proof.covers(order.prove):
            return Synced(str(home.environment), UNCHANGED, chosen, chosen.number, notes=interrupted + notes)
        before = homes.disk_use(home.folder)
        taken = (
            _proven(catalog, order, home, chosen) if chosen else build(catalog, order, home, homes.next_number(home))
        )
        homes.record(home, taken)
        homes.point_to(home, taken)
        removed = _prune(home, [taken, *([previous] if previous else []), *found], order.keep)
        return Synced(
            environment=str(home.environment),
            status=SWITCHED if chosen else BUILT,
            generation=taken,
            previous=previous.number if previous else None,
            before=before,
            after=homes.disk_use(home.folder),
            removed=removed,
            notes=interrupted + notes,
        )


def generations(environment: str | Path = ENVIRONMENT) -> Generations:
    """The generations of the environment at a path, newest first; raises InputError where sync made none there."""
    home = homes.home_of(Path(environment))
    found = _some(home)
    now = homes.active(home, found)
    return Generations(str(home.environment), now.number if now else None, found)


def rollback(number: int | None = None, environment: str | Path = ENVIRONMENT) -> Synced:
    """Return to a generation, by default the one before that in use; nothing is built and nothing deleted.

    Raises InputError where there is no such generation, ProbeError where it no longer works or a sync is at work.
    """
    home = homes.home_of(Path(environment))
    _some(home)
    with _told(home), homes.held(home):
        found = _some(home)
        previous = homes.active(home, found)
        chosen = _earlier(found, previous) if number is None else _numbered(found, number)
        if not interpreter_of(home.path(chosen)).exists():
            raise ProbeError(
                f"generation {chosen.number} has no interpreter that works", hint="`compatsolver sync` builds it anew"
            )
        change = _change(home, chosen)
        homes.point_to(home, chosen)
        return Synced(
            environment=str(home.environment),
            status=UNCHANGED if chosen == previous else SWITCHED,
            generation=chosen,
            previous=previous.number if previous else None,
            notes=(change,) if change else (),
        )


@contextmanager
def _told(home: Home, tell: Callable[[str], None] | None = None) -> Iterator[None]:
    """Add to every error what the environment is now, and tell it where the user stops the work."""
    try:
        yield
    except KeyboardInterrupt:
        if tell:
            tell(f"stopped; {_standing(home)}")
        raise
    except CompatError as error:
        error.context = (*error.context, _standing(home))
        raise
    except OSError as error:
        raise ProbeError(
            f"{error.filename or home.folder} cannot be read or written: {error.strerror or error}",
            context=(_standing(home),),
            hint="give it room and permission, and run the same again",
        ) from error


def _standing(home: Home) -> str:
    now, name = homes.active(home, homes.kept(home)), home.environment.name
    if now is None and homes.target(home):
        return f"{name} is what it was, a generation whose record cannot be read"
    return f"{name} is generation {now.number}" if now else f"there is no {name} yet"


def _of_the_lock(
    home: Home, order: Order, found: Sequence[Generation], previous: Generation | None
) -> tuple[Generation | None, tuple[str, ...]]:
    """A generation of that lock that is still what it was made as, and what is to be said of others."""
    notes: list[str] = []
    for one in sorted(found, key=lambda one: one != previous):
        if (one.lock["digest"], one.asked_python) == (order.digest, order.python):
            change = _change(home, one)
            if change is None:
                return one, tuple(notes)
            notes.append(change)
    return None, tuple(notes)


def _change(home: Home, generation: Generation) -> str | None:
    """What has happened to a generation since it was made, in words; None where it is as it was."""
    name, path = f"generation {generation.number}", home.path(generation)
    if generation.environment != str(home.environment):
        return f"{name} was moved here from {generation.environment}, which its scripts still name"
    if not interpreter_of(path).exists():
        return f"{name} has lost its interpreter"
    was, now = generation.packages, packages_in(path)
    changed = sorted(package for package in {*was, *now} if was.get(package) != now.get(package))
    words = [f"{package} is {now.get(package, 'gone')}, was {was.get(package, 'not there')}" for package in changed]
    return f"{name} was changed since: {'; '.join(words)}" if words else None


def _proven(catalog: Catalog, order: Order, home: Home, generation: Generation) -> Generation:
    """The generation with as much proof as the order asks for."""
    if generation.proof.covers(order.prove):
        return generation
    from compatsolver.environments.generations.proof import prove

    return generation._replace(proof=prove(catalog, order, home.path(generation), generation.packages))


def _prune(home: Home, ranked: Sequence[Generation], keep: int) -> tuple[int, ...]:
    """Delete all but the first few, each of which may stand there twice; the numbers of those that are gone."""
    by_folder = {generation.folder: generation for generation in reversed(ranked)}
    order = dict.fromkeys(generation.folder for generation in ranked)
    surplus = [by_folder[folder] for folder in list(order)[keep:]]
    for generation in surplus:
        homes.delete(home, generation)
    return tuple(sorted(generation.number for generation in surplus))


def _some(home: Home) -> tuple[Generation, ...]:
    found = homes.kept(home)
    if not found and homes.target(home):
        raise InputError(
            f"the records of {home.environment} cannot be read", hint="`compatsolver sync pylock.toml` makes it anew"
        )
    if not found:
        raise InputError(
            f"sync has made no environment at {home.environment}",
            hint="make one with `compatsolver sync pylock.toml`, or name its path with --env",
        )
    return found


def _numbered(found: Sequence[Generation], number: int) -> Generation:
    for generation in found:
        if generation.number == number:
            return generation
    there = ", ".join(str(generation.number) for generation in reversed(found))
    raise InputError(f"there is no generation {number}", hint=f"kept: {there}")


def _earlier(found: Sequence[Generation], now: Generation | None) -> Generation:
    """The newest of those before the one in use; where none is in use, the newest."""
    for generation in found:
        if now is None or generation.number < now.number:
            return generation
    raise InputError(
        "there is no generation before the one in use", hint="`compatsolver generations` lists what is kept"
    )
