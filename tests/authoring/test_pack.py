"""A catalogue carries the tables it was made from."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.compile import payload_of
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.pack import pack, read_tables
from compatsolver.catalog.tables import unpack
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog


def test_what_is_packed_is_unpacked(matrices: Path) -> None:
    tables = load_tables(matrices)
    assert read_tables(unpack(pack(tables))) == replace(tables, measured={})


def test_the_shipped_catalogue_can_be_made_again_from_itself(catalog: Catalog) -> None:
    made = json.loads(json.dumps(payload_of(read_tables(unpack(catalog.payload["tables"])))))
    shipped = {name: catalog.payload[name] for name in catalog.payload if name != "tables"}
    assert made == shipped | {"rows": shipped["rows"] | {"measured": 0}}


def test_tables_of_another_format_are_refused(matrices: Path) -> None:
    written = unpack(pack(load_tables(matrices)))
    with pytest.raises(CatalogError, match="another format"):
        read_tables(written | {"moons": []})
    written["branches"][0]["phase"] = "full"
    with pytest.raises(CatalogError, match="another format"):
        read_tables(written)


def test_a_text_that_is_no_table_is_refused() -> None:
    with pytest.raises(CatalogError, match="cannot be read"):
        unpack("bm90IGEgdGFibGU=")
