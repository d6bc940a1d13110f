"""What is answered: pins with their commands, or conflicts with their facts, or the facts that are missing."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Mapping
from typing import Any, NamedTuple

from compatsolver.model.fix import Fix, fix_documents

SCHEMA = "compatsolver.resolution/1"
RESOLVED, CONFLICT, UNDETERMINED = "resolved", "conflict", "undetermined"


class Pin(NamedTuple):
    """One package of the plan. `index` is None for the default package index; `because` holds ids of rules.

    `built_beside`: packages that have to be installed before this one is, because its build imports them.
    """

    name: str
    version: str
    build: str | None = None
    index: str | None = None  # type: ignore[assignment]  # hides tuple.index, which nobody asks of it
    extras: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    built_beside: tuple[str, ...] = ()

    @property
    def project(self) -> str:
        """The name with its extras, as an installer takes it."""
        return f"{self.name}[{','.join(self.extras)}]" if self.extras else self.name


class Runtime(NamedTuple):
    """Versions of the libraries that come with the pinned build; None where unknown or absent."""

    cuda: str | None = None
    cudnn: str | None = None
    nccl: str | None = None
    triton: str | None = None


UNKNOWN_RUNTIME = Runtime()
_NOTHING: Mapping[str, Any] = {}


class Because(NamedTuple):
    """One fact in words, how well it is known, and where it was read."""

    statement: str
    evidence: str
    sources: tuple[str, ...]


class Conflict(NamedTuple):
    """A minimal set of assumptions that cannot hold together, and the facts between them that refute it."""

    kind: str
    summary: str
    assumptions: tuple[str, ...]
    because: tuple[Because, ...]


class Missing(NamedTuple):
    """A fact that would decide the question, and the command that gets it."""

    fact: str
    why: str
    how: str


class Resolution(NamedTuple):
    """The answer to a request; `to_dict` is the published document.

    `unchecked` are requirements on packages that the catalogue holds no facts on, as they go into the commands.
    """

    verdict: str
    catalog: Mapping[str, Any]
    target: Mapping[str, Any]
    assumed: Mapping[str, str] = _NOTHING
    conditions: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = ()
    unchecked: tuple[str, ...] = ()
    runtime: Runtime = UNKNOWN_RUNTIME
    commands: Mapping[str, tuple[str, ...]] = _NOTHING
    notes: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    fixes: tuple[Fix, ...] = ()
    missing: tuple[Missing, ...] = ()

    def pin(self, name: str) -> Pin:
        """The pin of a package; raises KeyError where the plan has none."""
        for pin in self.pins:
            if pin.name == name:
                return pin
        raise KeyError(name)

    @property
    def torch(self) -> Pin:
        """The pin of torch, which every plan has."""
        return self.pin("torch")

    def install_command(self, tool: str = "uv") -> str:
        """The command line for `uv` or `pip`; raises ValueError for a tool that has none for this answer."""
        if not self.commands.get(tool):
            known = " and ".join(sorted(name for name, lines in self.commands.items() if lines)) or "none"
            raise ValueError(f"there is no command for {tool} here; tools that have one: {known}")
        return " && ".join(self.commands[tool])

    def to_dict(self) -> dict[str, Any]:
        """The resolution document: plain lists, dicts and strings in the published order."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "catalog": dict(self.catalog),
            "target": dict(self.target),
            "assumed": dict(self.assumed),
            "conditions": list(self.conditions),
            "pins": [_pin(pin) for pin in self.pins],
            "unchecked": list(self.unchecked),
            "runtime": self.runtime._asdict(),
            "commands": {tool: list(lines) for tool, lines in self.commands.items()},
            "notes": list(self.notes),
            "conflicts": [_conflict(conflict) for conflict in self.conflicts],
            "fixes": fix_documents(self.fixes),
            "missing": [missing._asdict() for missing in self.missing],
        }


def _pin(pin: Pin) -> dict[str, Any]:
    listed = {column: list(getattr(pin, column)) for column in ("extras", "because", "built_beside")}
    return pin._asdict() | listed


def _conflict(conflict: Conflict) -> dict[str, Any]:
    because = [fact._asdict() | {"sources": list(fact.sources)} for fact in conflict.because]
    return conflict._asdict() | {"assumptions": list(conflict.assumptions), "because": because}
