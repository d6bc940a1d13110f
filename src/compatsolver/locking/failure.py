"""Why there is no closure: proven from what everybody requires, or told as what it is, a search without success."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import NoClosure
from compatsolver.explanation.answer import answer
from compatsolver.locking.refutation import Universe
from compatsolver.model.request import Requirement
from compatsolver.model.resolution import CONFLICT, UNKNOWN_RUNTIME, Because, Conflict
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.locking.closure import DeadEnd
    from compatsolver.locking.refutation import Fact
    from compatsolver.locking.shelf import Shelf
    from compatsolver.locking.wanted import Wanted
    from compatsolver.model.host import Host
    from compatsolver.model.request import Request
    from compatsolver.model.resolution import Resolution

_MOST_MET = 6
_MOST_SKIPPED = 4


def explained(
    catalog: Catalog,
    host: Host,
    request: Request,
    plan: Resolution,
    end: DeadEnd,
    shelf: Shelf,
    roots: Sequence[Wanted],
) -> Resolution:
    """The conflict that the closure has; raises NoClosure where none is proven. `plan` is that of the stack alone.

    Where what packages of the index require of the stack suffices, the catalogue explains it. Its fixes are left out:
    they were solved again without those packages.
    """
    names = shelf.wanting({cause.requirement.name for cause in end.causes} | {"torch"})
    facts = Universe(shelf, names).refuted(roots)
    if facts is None:
        raise NoClosure(tuple(_met(end, shelf)))
    refused = plan._replace(
        verdict=CONFLICT, pins=(), unchecked=(), commands={}, conditions=(), runtime=UNKNOWN_RUNTIME
    )
    told = tuple(_told(facts))
    narrowed = request._replace(requirements=(*request.requirements, *_on_the_stack(facts, shelf)))
    by_catalogue = answer(catalog, host, narrowed, catalog.horizon)
    if by_catalogue.verdict == CONFLICT:
        conflicts = tuple(row._replace(because=(*row.because, *told)) for row in by_catalogue.conflicts)
        return refused._replace(conflicts=conflicts)
    return refused._replace(conflicts=(_conflict(facts, told),))


def _conflict(facts: Sequence[Fact], told: tuple[Because, ...]) -> Conflict:
    asked = dict.fromkeys(fact.wanted.text for fact in facts if fact.release is None)
    return Conflict(
        kind=Kind.PKG_PIN.value,
        summary=f"{' and '.join(asked)} cannot hold together",
        assumptions=tuple(asked),
        because=told,
    )


def _told(facts: Sequence[Fact]) -> Iterator[Because]:
    """The facts in words; releases that require the same are named together."""
    for fact in facts:
        if fact.release is None and not any(mask for _, mask in fact.clause):
            statement = f"no index lists a release of {fact.wanted.name} that is {fact.wanted.text} and fits the target"
            yield Because(statement, "metadata", ())
    alike: dict[tuple[str, str, bool], list[Fact]] = {}
    for fact in facts:
        if fact.release:
            key = (fact.release.name, fact.wanted.text, fact.wanted.allowed is not None)
            alike.setdefault(key, []).append(fact)
    for (name, text, by_catalogue), rows in alike.items():
        releases = [row.release for row in rows if row.release]
        which = ", ".join(str(release.version) for release in releases[-1:] + releases[:1]) if len(rows) > 1 else ""
        subject = f"{name} {which.replace(', ', ' to ')}" if which else f"{name} {releases[0].version}"
        if by_catalogue:
            yield Because(f"{subject} works only with some releases of {rows[0].wanted.name}", "catalogue", ())
        else:
            yield Because(f"{subject} requires {text}", "metadata", (f"{releases[0].index}{name}/",))


def _on_the_stack(facts: Sequence[Fact], shelf: Shelf) -> Iterator[Requirement]:
    """What packages that the catalogue does not govern require of those that it does."""
    for fact in facts:
        wanted, release = fact.wanted, fact.release
        if release and release.position is None and wanted.name in shelf.stack.names:
            origin = f"{release.name} {release.version}"
            yield Requirement(wanted.name, str(wanted.specifier), wanted.text, origin=origin)


def _met(end: DeadEnd, shelf: Shelf) -> Iterator[str]:
    """What resolvelib met last, and what was passed over on the way."""
    met = dict.fromkeys(
        f"{cause.parent.words if cause.parent else cause.requirement.by} requires {cause.requirement.text}"
        for cause in end.causes
        if cause.requirement.allowed is None
    )
    yield from list(met)[:_MOST_MET]
    names = {cause.requirement.name for cause in end.causes}
    skipped = [f"{words}: {why}" for words, why in shelf.skipped.items() if words.partition(" ")[0] in names]
    yield from skipped[:_MOST_SKIPPED]
