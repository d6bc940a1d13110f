"""Profiles: sets of packages that go together, named in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import UnknownComponent
from compatsolver.model.request import Listing, Requirement

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


def profile_requirements(catalog: Catalog, name: str) -> Listing:
    """The packages of a profile, in any release; raises UnknownComponent for a profile that is not in the data."""
    profiles = catalog.payload["profiles"]
    if name not in profiles:
        raise UnknownComponent(
            f"the catalogue has no profile {name!r}", hint="use one of " + ", ".join(sorted(profiles))
        )
    packages, _ = profiles[name]
    return Listing(
        tuple(Requirement(name=package, specifier="", text=package, origin=f"profile {name}") for package in packages)
    )
