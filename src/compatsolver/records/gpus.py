"""Facts on a GPU, by its name or its compute capability."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.catalog.gpus import find_gpu
from compatsolver.errors import OutOfScope
from compatsolver.model.facts import UNKNOWN, Facts, Known
from compatsolver.records.book import Book, Row, day

if TYPE_CHECKING:
    from compatsolver.model.host import GpuMatch

_OF_THE_PRODUCT = ("chip", "memory_gib", "market", "platform")
_BOARD = re.compile(r" \d+ GB")


def gpu_facts(book: Book, text: str) -> Facts:
    """A GPU: capability, architecture, memory, and the branches and toolkits that know it."""
    match = find_gpu(book.catalog, text)
    if match.vendor:
        raise OutOfScope(
            f"{text} is not an NVIDIA GPU but one of {match.vendor}: out of scope",
            hint="ask about NVIDIA GPUs; PyTorch's own pages describe its builds for others",
        )
    row = _capability(book, match)
    if row is None:
        note = "several meanings" if len(match.capabilities) > 1 else "no GPU of that name is known"
        said = f"{note}: {', '.join(match.candidates)}" if match.candidates else note
        return Facts(f"gpu {text}", book.catalog.identity(), {"exists": Known(UNKNOWN), "name": Known(None)}, (said,))
    named = [*book.tables["products"], *book.tables["nvidia_smi_names"]]
    names = (match.name, *match.candidates)
    meant = [each for each in named if _without_size(each["name"]) in names or each["name"] in names]
    products = [each for each in meant if "chip" in each]
    fields = {
        "exists": book.known(True, *(meant or [row])),
        "name": book.known(match.name, *(meant or [row])),
        "compute_capability": book.known(row["compute_capability"], *(meant or [row])),
        "architecture": book.known(row["architecture"], row),
        **{column: _shared(book, products, column) for column in _OF_THE_PRODUCT},
        "released": _shared(book, [each | {"released": day(each["released"])} for each in products], "released"),
        **{column: book.known(row[column], row) for column in ("first_branch", "first_toolkit")},
        **{column: book.stated(row[column], row) for column in ("last_branch", "last_toolkit")},
        "island": book.known(row.get("island", False), row),
        "same_as": book.stated(row.get("same_as"), row),
    }
    notes = [*_sizes(products), *(note for each in products for note in each.get("notes", ())), *row.get("notes", ())]
    return Facts(f"gpu {text}", book.catalog.identity(), fields, tuple(dict.fromkeys(notes)))


def _without_size(name: str) -> str:
    return _BOARD.sub("", name.removeprefix("NVIDIA "))


def _capability(book: Book, match: GpuMatch) -> Row | None:
    if len(match.capabilities) != 1:
        return None
    rows: list[Row] = book.tables["capabilities"]
    return next((row for row in rows if row["compute_capability"] == match.capabilities[0]), None)


def _shared(book: Book, rows: list[Row], column: str) -> Known:
    """What all meanings of a name have in common; null where they differ or nobody knows."""
    values = {row.get(column) for row in rows}
    return book.known(values.pop(), *rows) if len(values) == 1 else Known(None)


def _sizes(products: list[Row]) -> list[str]:
    sizes = sorted({row["memory_gib"] for row in products if row["memory_gib"]})
    return [f"there are boards with {' and '.join(f'{size:g}' for size in sizes)} GiB"] if len(sizes) > 1 else []
