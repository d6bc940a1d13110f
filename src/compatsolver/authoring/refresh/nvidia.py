"""NVIDIA's table of CUDA toolkits and their drivers, from a saved page of the CUDA toolkit's release notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.authoring.refresh.proposal import Proposal
from compatsolver.errors import InputError
from compatsolver.files import read_bytes
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from compatsolver.authoring.schema import Tables

SOURCE = "nvidia-cuda-release-notes-page"
_TOOLKIT = re.compile(r"CUDA\s+(\d+\.\d+)(?:\.(\d+)|\s+Update\s+(\d+)|\s+GA)?\b", re.IGNORECASE)
_DRIVER = re.compile(r"[>=≥\s]*(\d{3}\.\d{2,3}(?:\.\d{2})?)")
LARGEST = 50_000_000


def propose_toolkits(page: Path, tables: Tables, day: date) -> Proposal:
    """Toolkits of the page that cuda.yaml lacks; raises InputError where the file is no such page."""
    found = dict(_toolkits(read_bytes(page, LARGEST, "save the page alone, as HTML, and give that file"), page.name))
    known = {NumericVersion.parse(row.version): row for row in tables.toolkits}
    rows, remarks = [], []
    for version, (linux, windows) in found.items():
        row = known.get(NumericVersion.parse(version))
        if row is None:
            rows.append(
                {
                    "version": version,
                    "driver": {"linux": linux, "windows": windows},
                    "branch": _branch(linux or windows, tables),
                    "evidence": "documented",
                    "sources": [f"{SOURCE}#{version}"],
                }
            )
        elif (row.driver.linux, row.driver.windows) != (linux, windows):
            stated = f"{row.driver.linux} and {row.driver.windows}"
            remarks.append(f"CUDA {version}: the page has drivers {linux} and {windows}, the row {stated}")
    title = f"NVIDIA: CUDA toolkit release notes, toolkits and their drivers ({page.name})"
    return Proposal(
        {SOURCE: {"title": title, "url": None, "retrieved": day}} if rows else {}, toolkits=rows, remarks=remarks
    )


def _branch(driver: str | None, tables: Tables) -> str | None:
    """The branch that a driver is of, where drivers.yaml has it."""
    major = int((driver or "0").partition(".")[0])
    return next((row.branch for row in tables.branches if row.first_major <= major < row.below_major), None)


def _toolkits(page: bytes, name: str) -> Iterator[tuple[str, tuple[str | None, str | None]]]:
    """Toolkit → packaged driver on Linux and on Windows, newest first as the page has them."""
    from bs4 import BeautifulSoup

    count = 0
    for row in BeautifulSoup(page, "html.parser").find_all("tr"):
        cells = [cell.get_text(" ", strip=True) for cell in row.find_all(["td", "th"])]
        toolkit = _TOOLKIT.match(cells[0]) if len(cells) >= 3 else None
        linux, windows = (_DRIVER.match(cells[1]), _DRIVER.match(cells[2])) if toolkit else (None, None)
        if toolkit and (linux or windows):
            count += 1
            update = toolkit[2] or toolkit[3] or "0"
            yield f"{toolkit[1]}.{update}", (linux and linux[1], windows and windows[1])
    if not count:
        raise InputError(
            f"{name}: no table of CUDA toolkits and their drivers",
            hint="save the page of the CUDA toolkit's release notes as HTML",
        )
