"""What a policy did, in words: which release lines are young, what of an environment stays and what changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.ranges import listing
from compatsolver.model.request import normalised
from compatsolver.solver.policy import releases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Request
    from compatsolver.model.resolution import Pin


def on_components(catalog: Catalog, request: Request) -> dict[str, str]:
    """The installed packages that matter, most important first: torch, what was asked for, the rest as it is listed.

    A package that was not asked for matters where its release is in the catalogue; nothing is known of the others.
    """
    asked = ["torch", *(entry.name for entry in request.requirements if not entry.is_constraint)]
    installed = {normalised(name): version for name, version in request.installed.items()}
    ordered = dict.fromkeys([*(name for name in asked if name in installed), *installed])
    return {name: installed[name] for name in ordered if name in asked or _is_listed(catalog, name, installed[name])}


def _is_listed(catalog: Catalog, name: str, text: str) -> bool:
    component = catalog.components.get(name)
    is_package = component is not None and component.kind == "package" and name != "triton"
    return is_package and text.partition("+")[0] in releases(catalog, name)


def policy_notes(catalog: Catalog, request: Request, pins: Sequence[Pin]) -> Iterator[str]:
    """What the policy of a request did to the pins of its plan."""
    if request.policy == "conservative":
        yield from _young_lines(catalog, pins)
    if request.policy == "closest":
        yield from _against_installed(catalog, request, pins)


def _young_lines(catalog: Catalog, pins: Sequence[Pin]) -> Iterator[str]:
    from compatsolver.solver.conservative import ESTABLISHED_AFTER_DAYS, is_established

    young = [pin for pin in pins if not is_established(catalog, pin.name, pin.version)]
    if young:
        yield (
            f"no release line known to be {ESTABLISHED_AFTER_DAYS} days old fits, so the plan has"
            f" {listing(f'{pin.name} {pin.version}' for pin in young)}"
        )


def _against_installed(catalog: Catalog, request: Request, pins: Sequence[Pin]) -> Iterator[str]:
    installed = on_components(catalog, request)
    asked = {entry.name for entry in request.requirements if not entry.is_constraint}
    pinned = {pin.name: pin for pin in pins}
    before = {name: installed[name] for name in pinned if name in installed}
    stays = [name for name, text in before.items() if _is_same(pinned[name], text)]
    if stays:
        yield f"stays as installed: {listing(f'{name} {before[name]}' for name in stays)}"
    for name, text in before.items():
        if name not in stays:
            why = "" if name in asked else ", which was not asked for, cannot stay beside the rest: it"
            yield f"{name} {text}{why} becomes {_spelling(pinned[name])}"
    for name in installed:
        if name not in pinned:
            yield f"no release of {name} fits beside the rest: {name} {installed[name]} is left out of the plan"


def _is_same(pin: Pin, text: str) -> bool:
    version, _, local = text.partition("+")
    return pin.version == version and (not local or local == pin.build or pin.build is None)


def _spelling(pin: Pin) -> str:
    return f"{pin.version}+{pin.build}" if pin.build else pin.version
