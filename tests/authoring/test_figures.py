"""How much the tables hold and how well it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.figures import figures
from compatsolver.authoring.load import load_tables
from compatsolver.authoring.pack import pack
from compatsolver.catalog.tables import unpack

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_facts_are_counted_by_table_and_level(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("drivers.yaml", "sources: [guide]", 'sources: ["guide#one", "guide#two", wheels]')
    edit("cuda.yaml", "sources: [guide]", 'sources: ["guide#one", "guide#two"]')
    found = {each.table: each for each in figures(unpack(pack(load_tables(matrices))))}
    assert (found["branches"].rows, found["branches"].two_sources) == (3, 1)
    assert found["toolkits"].two_sources == 0
    assert found["torch arch lists"].levels == {"measured": 2}
    assert found["torch builds"].levels["metadata"] == 4
    assert found["all"].rows == sum(each.rows for name, each in found.items() if name != "all")
    assert str(found["toolkits"]) == "toolkits                2 rows    0% two sources  documented 100%"
