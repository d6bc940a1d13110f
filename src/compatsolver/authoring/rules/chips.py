"""Capabilities as chips: Thor is 10.1 up to CUDA 12.9 and 11.0 since 13.0, and what holds for one holds for both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from compatsolver.model.version import Capability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import CapabilityRow, Tables


def chips(tables: Tables) -> Iterator[CapabilityRow]:
    """The capabilities in their order; each number of a chip with two has the toolkits, drivers and sources of both."""
    rows = {row.compute_capability: row for row in tables.capabilities}
    for row in tables.capabilities:
        yield _with_both_numbers(row, rows[row.same_as]) if row.same_as else row


def _with_both_numbers(row: CapabilityRow, other: CapabilityRow) -> CapabilityRow:
    earlier, later = sorted((row, other), key=lambda entry: Capability.parse(entry.compute_capability))
    return replace(
        row,
        first_toolkit=earlier.first_toolkit,
        last_toolkit=later.last_toolkit,
        first_branch=later.first_branch,
        last_branch=later.last_branch,
        sources=list(dict.fromkeys((*row.sources, *other.sources))),
    )
