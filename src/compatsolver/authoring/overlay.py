"""A user's facts laid on the tables of a catalogue, linted and compiled with them.

A row of an overlay corrects the row of the same key, or is a new one; `like` names a row to start from. Columns that
are not written are those of the row it corrects or is like, except its sources and notes: what the overlay states is
stated by its own sources.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.authoring import yamlfile
from compatsolver.authoring.compile import payload_of
from compatsolver.authoring.lint import lint
from compatsolver.authoring.merging import merge, unsound
from compatsolver.authoring.pack import pack, read_tables
from compatsolver.catalog.catalogue import Catalog
from compatsolver.catalog.digest import digest_of
from compatsolver.catalog.load import read
from compatsolver.catalog.sections import seal
from compatsolver.catalog.tables import tables_of
from compatsolver.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from compatsolver.authoring.schema import Tables

LARGEST = 5_000_000


class _Written(NamedTuple):
    """A file's name without its folders, and its contents."""

    name: str
    data: bytes


def overlaid(catalog: Catalog, paths: Sequence[Path]) -> Catalog:
    """The catalogue with some overlays laid on, the later on the earlier; compiled once per contents.

    Raises InputError where a file cannot be read, with every problem where what it says is not sound.
    """
    return _compiled(catalog, tuple(_read(path) for path in paths))


def _read(path: Path) -> _Written:
    return _Written(
        path.name, read_bytes(path, LARGEST, "an overlay is a short YAML file; check the path of --overlay")
    )


@lru_cache(maxsize=4)
def _compiled(catalog: Catalog, written: tuple[_Written, ...]) -> Catalog:
    known = tables_of(catalog)
    laid: list[dict[str, str]] = []
    for name, data in written:
        try:
            raw = yamlfile.read(data)
        except yamlfile.YamlError as error:
            raise unsound([f"{name}:{error.line}: {error.message}"]) from None
        known = merge(known, name, raw)
        laid.append({"title": raw["title"], "file": name, "digest": digest_of(data)})
    tables = read_tables(known)
    if problems := [str(problem) for problem in lint(replace(tables, horizon=_latest(tables)), overlaid=True)]:
        raise unsound(problems)
    whole = read(seal(payload_of(tables) | {"overlay": laid, "tables": pack(tables)}), "overlay")
    parts = (whole.horizon, whole.components, whole.rules_by_library, whole.payload)
    return Catalog(whole.version, catalog.digest, *parts)


def _latest(tables: Tables) -> date:
    """The day to judge dates by: an overlay may have been written after the catalogue was made."""
    return max([tables.horizon, *(row.retrieved for row in tables.sources.values() if row.retrieved)])
