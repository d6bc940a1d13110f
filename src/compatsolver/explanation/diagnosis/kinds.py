"""The catalogue's table of kinds: their pages, their order and what each explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.errors import UnknownComponent
from compatsolver.explanation.diagnosis.weighing import Kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog


def kinds_of(catalog: Catalog) -> Kinds:
    """The table of kinds as order and relation."""
    rows = kind_rows(catalog)
    order = {row["kind"]: place for place, row in enumerate(rows)}
    return Kinds(order, {row["kind"]: frozenset(row.get("explains", ())) for row in rows})


def kind_rows(catalog: Catalog) -> Sequence[Mapping[str, Any]]:
    """All kinds, causes before their effects."""
    rows: Sequence[Mapping[str, Any]] = catalog.diagnosis.get("kinds", ())
    return rows


def kind_row(catalog: Catalog, name: str) -> tuple[Mapping[str, Any], list[str]]:
    """A kind's row and its sources in words; raises UnknownComponent with near names."""
    wanted = name.strip().lower().replace("-", "_")
    rows = {row["kind"]: row for row in kind_rows(catalog)}
    if wanted not in rows:
        from difflib import get_close_matches

        raise UnknownComponent(f"there is no kind {name!r}", near=tuple(get_close_matches(wanted, rows, n=3)))
    return rows[wanted], [str(catalog.source(position)) for position in rows[wanted]["sources"]]
