"""The page of a kind of fault, from the catalogue: printed offline and written to docs/kinds/."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.render.lines import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SECTIONS = (("How it shows", "shows"), ("How to confirm", "confirm"), ("How to mend", "mend"))


def kind_text(row: Mapping[str, Any], sources: Sequence[str]) -> str:
    """The page for a terminal."""
    parts = [[row["title"], f"kind {row['kind']}"], wrapped(row["meaning"])]
    for title, key in _SECTIONS:
        parts.append([f"{title}:", *(line for text in row[key] for line in wrapped(text, first="  - ", rest="    "))])
    if row.get("explains"):
        parts.append(wrapped(f"Often seen with it, as its consequence: {', '.join(row['explains'])}."))
    parts.append(["Sources:", *(line for text in sources for line in wrapped(text, first="  - ", rest="    "))])
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def kind_markdown(row: Mapping[str, Any], sources: Sequence[str]) -> str:
    """The page for `docs/kinds/<kind>.md`."""
    parts = [[f"# {row['title']}"], [f"Kind `{row['kind']}`. {row['meaning']}"]]
    for title, key in _SECTIONS:
        mark = "`" if key == "confirm" else ""
        parts.append([f"## {title}", "", *(f"- {mark}{text}{mark}" for text in row[key])])
    if row.get("explains"):
        linked = ", ".join(f"[{kind}]({kind.replace('_', '-')}.md)" for kind in row["explains"])
        parts.append([f"Often seen with it, as its consequence: {linked}."])
    parts.append(["## Sources", "", *(f"- {text}" for text in sources)])
    note = f"<!-- Written by `compatsolver explain --kind {row['kind']} --format markdown`; do not edit. -->"
    return "\n\n".join([note, *("\n".join(lines) for lines in parts)]) + "\n"


def kind_list(rows: Sequence[Mapping[str, Any]]) -> str:
    """All kinds with their titles."""
    width = max(len(row["kind"]) for row in rows)
    return "".join(f"{row['kind'].ljust(width)}  {row['title']}\n" for row in rows)
