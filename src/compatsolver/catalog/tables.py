"""The tables that a catalogue was made from, which it carries along: every row with its evidence and sources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

DAY = "day"
"""The one key of a mapping that stands for a day, of which JSON has none."""


def tables_of(catalog: Catalog) -> dict[str, Any]:
    """The rows by table, in the form they are written in; raises CatalogError where there are none."""
    if "tables" not in catalog.payload:
        raise CatalogError("this catalogue carries no tables", hint="use a newer catalogue")
    return unpack(catalog.payload["tables"])


def unpack(text: str) -> dict[str, Any]:
    """Tables that `authoring.pack` packed; raises CatalogError where it is something else."""
    import zlib
    from base64 import b64decode

    try:
        tables: dict[str, Any] = json.loads(zlib.decompress(b64decode(text)), object_hook=_revived)
    except (ValueError, zlib.error) as error:
        raise CatalogError(f"the tables of this catalogue cannot be read: {error}") from None
    return tables


def _revived(mapping: dict[str, Any]) -> Any:
    if mapping.keys() != {DAY}:
        return mapping
    from datetime import date

    return date.fromisoformat(mapping[DAY])
