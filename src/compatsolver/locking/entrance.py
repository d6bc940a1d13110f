"""From a request to a lock: the plan of the stack, the closure around it, and the record of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from packaging.specifiers import SpecifierSet

from compatsolver.catalog.requirements import sort_out
from compatsolver.emitters.uv import PYTORCH_INDEX
from compatsolver.errors import NotCached
from compatsolver.explanation.accelerator import accelerator
from compatsolver.explanation.answer import answer, asks_for_cpu
from compatsolver.index.cache import Cache, default_folder
from compatsolver.index.client import Client
from compatsolver.index.settings import read_settings
from compatsolver.locking.closure import DeadEnd, close
from compatsolver.locking.direct import read_direct
from compatsolver.locking.failure import explained
from compatsolver.locking.fit import Fit
from compatsolver.locking.record import record
from compatsolver.locking.shelf import Shelf
from compatsolver.locking.stack import Stack
from compatsolver.locking.wanted import Wanted
from compatsolver.model.lock import Lock
from compatsolver.model.request import Requirement
from compatsolver.model.resolution import RESOLVED, Resolution
from compatsolver.requirements.listfile import read_list_files
from compatsolver.solver.formulate import formulate
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.locking.closure import Node
    from compatsolver.locking.releases import Release
    from compatsolver.model.host import Host
    from compatsolver.model.lock import LockedPackage
    from compatsolver.model.options import LockOptions
    from compatsolver.model.request import Listing, Request

_NOT_GOVERNED = frozenset(("triton",))
"""Comes as the one version that torch's own metadata names, unless somebody asks for it."""
_MOST_SKIPPED = 5


def lock_listing(
    catalog: Catalog, host: Host, request: Request, listing: Listing, options: LockOptions, today: str
) -> Lock | Resolution:
    """Lock what a listing asks for; `request` is what the catalogue makes of it. See `lock_closure`."""
    report = options.get("progress", lambda words: None)
    settings = read_settings(options.get("index_url"), options.get("extra_index_urls", ()))
    listing = listing.joined(read_list_files((), settings.constraints, request.target))
    governed = _packages(catalog)
    offline, refresh = options.get("offline", False), options.get("refresh", False)
    with Client(settings, Cache(default_folder()), offline=offline, refresh=refresh) as client:
        direct = [read_direct(text, client, governed, report) for text in listing.files]
        asked = sort_out(catalog, listing.requirements)
        sought = Sought(
            request=request._replace(
                requirements=asked.known, notes=tuple(n for n in request.notes if n not in asked.unchecked_notes)
            ),
            others=asked.others,
            constraints=tuple(entry for entry in listing.requirements if entry.is_constraint),
            requested=(*(entry.text for entry in listing.requirements if not entry.is_constraint), *listing.files),
            direct=tuple(direct),
            prereleases=options.get("prereleases", False),
            pytorch=options.get("pytorch_index_url") or PYTORCH_INDEX,
        )
        try:
            return lock_closure(catalog, host, sought, client, today, report)
        except NotCached:
            raise NotCached(client.missing) from None


class Sought(NamedTuple):
    """What is to be locked.

    `request` is on the packages of the catalogue; `others` are requirements on all others, and `constraints` bind
    whatever is in the closure. `direct` are releases by address or path, with the
    extras asked of them. `requested` is how it was typed. `pytorch` is
    the address of PyTorch's indexes or of a mirror of them.
    """

    request: Request
    others: tuple[Requirement, ...]
    constraints: tuple[Requirement, ...]
    requested: tuple[str, ...]
    direct: tuple[tuple[Release, tuple[str, ...]], ...] = ()
    prereleases: bool = False
    pytorch: str = PYTORCH_INDEX


def lock_closure(
    catalog: Catalog, host: Host, sought: Sought, client: Client, today: str, report: Callable[[str], None]
) -> Lock | Resolution:
    """A lock, or the answer that says why there is none; `report` is told what is being done.

    Raises IndexUnavailable, NotCached, HashMismatch, SolverLimit and NoClosure, where none was found and none refuted.
    """
    request = sought.request
    plan = answer(catalog, host, request, today)
    if plan.verdict != RESOLVED:
        return plan
    shelf = _shelf(catalog, host, sought, client, plan)
    roots = list(_roots(catalog, sought))
    nodes = close(shelf, roots, lambda beside: _stack(catalog, host, sought, client, plan, beside), report)
    if isinstance(nodes, DeadEnd):
        return explained(catalog, host, request, plan, nodes, shelf, roots)
    packages = record(shelf, nodes, report)
    return Lock(
        packages=packages,
        targets=(request.target,),
        requested=sought.requested,
        catalog={"version": catalog.version, "digest": catalog.digest},
        conditions=plan.conditions,
        notes=(*plan.notes, *_notes(shelf, nodes, packages)),
        remarks=client.settings.notes,
        accelerator=accelerator(catalog, host, _stack_pins(shelf, nodes), plan.runtime.cuda),
    )


def _stack_pins(shelf: Shelf, nodes: Sequence[Node]) -> list[Requirement]:
    """The governed packages of a closure as requirements of exactly those builds."""
    chosen = [(row.release.name, row.release.position) for row in nodes if row.release.position is not None]
    spelled = [shelf.stack.words(name, position).partition(" ") for name, position in chosen]
    return [Requirement(name, f"=={version}", f"{name}=={version}") for name, _, version in spelled]


def _stack(
    catalog: Catalog, host: Host, sought: Sought, client: Client, plan: Resolution, beside: frozenset[str]
) -> Stack:
    request = sought.request
    if asks_for_cpu(request):
        host = host._replace(gpus=())
    problem = formulate(catalog, host, request.requirements, request.cuda, beside)
    assert isinstance(problem, Problem), "a plan was made of it"
    primary = client.settings.primary
    return Stack(catalog, host, request, problem, plan.pins, primary, sought.pytorch, beside)


def _shelf(catalog: Catalog, host: Host, sought: Sought, client: Client, plan: Resolution) -> Shelf:
    constraints: dict[str, SpecifierSet] = {}
    for entry in sought.constraints:
        constraints[entry.name] = constraints.get(entry.name, SpecifierSet()) & SpecifierSet(entry.specifier)
    early = {entry.name for entry in sought.others if SpecifierSet(entry.specifier).prereleases}
    return Shelf(
        client,
        Fit(sought.request.target),
        _stack(catalog, host, sought, client, plan, frozenset()),
        governed=_packages(catalog),
        constraints=constraints,
        direct={release.name: release for release, _ in sought.direct},
        early=None if sought.prereleases else early,
    )


def _roots(catalog: Catalog, sought: Sought) -> Iterator[Wanted]:
    """What was asked for, and torch, which is in every plan."""
    yield Wanted("torch", text="torch", by="every plan")
    known = [
        entry._replace(specifier="") if "+" in entry.specifier else entry
        for entry in sought.request.requirements
        if catalog.components[entry.name].kind == "package"
    ]
    for entry in (*known, *sought.others):
        if not entry.is_constraint:
            for extra in ("", *entry.extras):
                yield Wanted(entry.name, SpecifierSet(entry.specifier), extra, entry.words, "the request")
    for release, extras in sought.direct:
        for extra in ("", *extras):
            yield Wanted(release.name, SpecifierSet(f"==={release.version}"), extra, release.name, "the request")


def _packages(catalog: Catalog) -> frozenset[str]:
    """The packages whose versions only the catalogue may choose."""
    packages = {name for name, component in catalog.components.items() if component.kind == "package"}
    return frozenset(packages - _NOT_GOVERNED)


def _notes(shelf: Shelf, nodes: Sequence[Node], packages: Sequence[LockedPackage]) -> Iterator[str]:
    if shelf.fit.assumption:
        yield shelf.fit.assumption
    indexes: dict[str, list[str]] = {}
    for package in packages:
        if package.index:
            indexes.setdefault(package.index, []).append(package.name)
    for index, names in indexes.items():
        yield f"from {index}: {', '.join(names)}"
    built = [package.name for package in packages if not package.files[0].name.endswith(".whl")]
    if built:
        yield f"no wheel for the target, so the target builds it from source: {', '.join(built)}"
    yield from _skipped(shelf.skipped, {node.release.name for node in nodes})


def _skipped(skipped: Mapping[str, str], names: set[str]) -> Iterator[str]:
    told = [f"{words} was passed over: {why}" for words, why in skipped.items() if words.partition(" ")[0] in names]
    yield from told[:_MOST_SKIPPED]
    if len(told) > _MOST_SKIPPED:
        yield f"and {len(told) - _MOST_SKIPPED} more releases were passed over"
