"""The pages of kinds are those of the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis.kinds import kind_row, kind_rows
from compatsolver.render.kind_page import kind_markdown

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

PAGES = Path(__file__).parents[2] / "docs" / "kinds"


def test_every_kind_has_its_page_as_the_command_prints_it(catalog: Catalog) -> None:
    kinds = [row["kind"] for row in kind_rows(catalog)]
    pages = {path.stem.replace("-", "_"): path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    index = pages.pop("index")
    assert pages == {kind: kind_markdown(*kind_row(catalog, kind)) for kind in kinds}
    assert all(f"({kind.replace('_', '-')}.md)" in index for kind in kinds)
