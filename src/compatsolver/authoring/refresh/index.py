"""A refresh from the configured package indexes: every package of the tables, or those that were named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.refresh.libraries import propose_library
from compatsolver.authoring.refresh.proposal import Proposal, joined
from compatsolver.authoring.refresh.torch import propose_torch
from compatsolver.errors import UnknownComponent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from compatsolver.authoring.schema import Tables
    from compatsolver.index.client import Client

TORCH = "torch"


def propose_packages(
    names: Sequence[str], client: Client, tables: Tables, since: date, day: date, tell: Callable[[str], None]
) -> Proposal:
    """What the primary index has of these packages, or of all, and the tables have not.

    Pages and METADATA stay in the client's cache: a refresh that was interrupted goes on where it was. Raises
    UnknownComponent for a package without a table and IndexUnavailable where the index cannot be read.
    """
    packages = [TORCH, *sorted(tables.libraries)]
    unknown = [name for name in names if name not in packages]
    if unknown:
        raise UnknownComponent(f"{unknown[0]}: no table of this package", hint=f"there are {', '.join(packages)}")
    found = []
    for name in names or packages:
        tell(name)
        project = client.project(name, client.settings.primary)
        if project is None:
            found.append(Proposal({}, remarks=[f"{name} is not on {client.settings.primary}"]))
            continue
        propose = propose_torch if name == TORCH else propose_library
        found.append(propose(project, client, tables, since, day, tell))
    return joined(found)
