"""Every relative link between the project's documents leads to a file that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)(?P<path>[^)#\s]+)(?:#[^)]*)?\)")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(document: Path) -> None:
    paths = [match["path"] for match in LINK.finditer(document.read_text(encoding="utf-8"))]
    assert [path for path in paths if not (document.parent / path).exists()] == []
