"""Requirements as a test writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.catalog.requirements import sort_out
from compatsolver.model.request import Requirement, Target
from compatsolver.requirements.written import read_requirement

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

LINUX = Target(python="3.12", platform="linux-x86_64")


def asked(catalog: Catalog, text: str) -> Requirement:
    """A requirement on a component of the catalogue."""
    written = read_requirement(text, LINUX)
    assert written is not None
    (known,) = sort_out(catalog, [written]).known
    return known
