"""Why there is no closure: proven from what everybody requires, or told as what it is, a search without success."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import NoClosure

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.locking.closure import DeadEnd
    from compatsolver.locking.shelf import Shelf
    from compatsolver.model.host import Host
    from compatsolver.model.request import Request
    from compatsolver.model.resolution import Resolution


def explained(catalog: Catalog, host: Host, request: Request, end: DeadEnd, shelf: Shelf, today: str) -> Resolution:
    raise NoClosure(tuple(f"{cause.requirement}" for cause in end.causes))
