"""A proposal: rows that the tables lack, as an overlay that can be read, tried and then moved into the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.authoring.merging import SCHEMA
from compatsolver.authoring.rowtext import flow_text, row_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

Row = dict[str, Any]


class Proposal(NamedTuple):
    """Rows in the form they are written in, newest first, and remarks on what could not be proposed.

    `sources` maps identifiers to what was read. `torch` are releases, `libraries` maps packages to releases,
    `toolkits` are rows of cuda.yaml.
    """

    sources: Mapping[str, Row]
    torch: Sequence[Row] = ()
    libraries: Mapping[str, Sequence[Row]] = {}
    toolkits: Sequence[Row] = ()
    remarks: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to add."""
        return not (self.torch or self.libraries or self.toolkits)


def joined(proposals: Iterable[Proposal]) -> Proposal:
    """Several proposals as one."""
    every = list(proposals)
    return Proposal(
        sources={name: row for one in every for name, row in one.sources.items()},
        torch=[row for one in every for row in one.torch],
        libraries={name: rows for one in every for name, rows in one.libraries.items()},
        toolkits=[row for one in every for row in one.toolkits],
        remarks=[remark for one in every for remark in one.remarks],
    )


def proposal_text(proposal: Proposal, day: date) -> str:
    """The overlay; what has to be looked at by a person stands above it in comments."""
    lines = [
        f"# Proposed by `compatsolver catalog refresh` on {day}; no table was changed.",
        "# To try it: compatsolver catalog info --overlay THIS-FILE. To accept a row, move it into its table.",
        *(f"# {remark}" for remark in proposal.remarks),
        f"schema: {SCHEMA}",
        f'title: "Proposed on {day}"',
        "sources:",
        *(f"  {name}: {flow_text(row)}" for name, row in sorted(proposal.sources.items())),
    ]
    text = "\n".join(lines) + "\n"
    for table, rows in (("toolkits", proposal.toolkits), ("torch", proposal.torch)):
        if rows:
            text += f"{table}:\n" + "".join(map(row_text, rows))
    if proposal.libraries:
        text += "libraries:\n"
    for name, rows in sorted(proposal.libraries.items()):
        text += f"  {name}:\n" + "".join(row_text(row, "  ") for row in rows)
    return text
