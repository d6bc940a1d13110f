"""A cell as one flat row, which all forms but JSON are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compatsolver.model.cell import Cell


def row_of(cell: Cell) -> dict[str, str]:
    """Axis values, the pins that are no axis, torch's build, index and image, and the install command of each tool.

    What a cell does not have is left out, except for the image, which is empty: a job may run without one.
    """
    row = {"id": cell.id, **cell.axes}
    for pin in cell.pins:
        row.setdefault(pin.name, pin.version)
        if pin.name == "torch":
            row |= {key: value for key, value in (("build", pin.build), ("index", pin.index)) if value}
    row["image"] = cell.image or ""
    tools = {tool: " && ".join(lines) for tool, lines in cell.commands.items()}
    return row | {f"install-{tool}": line for tool, line in sorted(tools.items())}
