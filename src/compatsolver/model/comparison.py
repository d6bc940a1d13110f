"""What is answered to several machines: how they differ, what of it matters, and what would make them one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.model.fix import fix_documents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.fix import Fix
    from compatsolver.model.resolution import Because, Missing

SCHEMA = "compatsolver.comparison/1"
ALIKE, DIFFERENT, UNDETERMINED = "alike", "different", "undetermined"
MATTERS, LITTLE, UNKNOWN = "matters", "little", "unknown"
"""How much a difference weighs: it matters, it does not, or no rule speaks of it."""
WORKS, BREAKS = "works", "breaks"
MACHINE, LOCK = "machine", "lock"


class Group(NamedTuple):
    """Machines, by name, that have the same value of a trait; `none` is known to be absent."""

    value: str
    machines: tuple[str, ...]


class Difference(NamedTuple):
    """One trait that is not the same everywhere: its groups, the largest first, and why it weighs what it does.

    `odd` are the machines outside the largest group, or those that depart from the lock; empty where the largest group
    is not the only one of its size, which is a tie.
    """

    trait: str
    title: str
    weight: str
    groups: tuple[Group, ...]
    odd: tuple[str, ...]
    because: Because

    @property
    def is_tie(self) -> bool:
        """Whether no group is the majority."""
        return not self.odd

    def to_dict(self) -> dict[str, Any]:
        """The difference in the published order of keys."""
        return {
            "trait": self.trait,
            "title": self.title,
            "weight": self.weight,
            "groups": [{"value": group.value, "machines": list(group.machines)} for group in self.groups],
            "odd": list(self.odd),
            "tie": self.is_tie,
            "because": self.because._asdict() | {"sources": list(self.because.sources)},
        }


class Change(NamedTuple):
    """What makes some machines like the others: the packages (or driver) that move, and the commands that do it.

    `verified`: the machines so changed were held against the catalogue and compared again. Where they were not, or
    hold no longer, `obstacles` says why and there are no commands.
    """

    machines: tuple[str, ...]
    like: str
    fixes: tuple[Fix, ...]
    commands: tuple[str, ...] = ()
    verified: bool = False
    obstacles: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The change in the published order of keys."""
        return {
            "machines": list(self.machines),
            "like": self.like,
            "fixes": fix_documents(self.fixes),
            "commands": list(self.commands),
            "verified": self.verified,
            "obstacles": list(self.obstacles),
        }


class Collective(NamedTuple):
    """Whether processes on these machines can reach each other over NCCL, as far as their software decides it.

    `verdict` is works, breaks or unknown; networks and the fabric between machines are not looked at.
    """

    verdict: str
    because: tuple[Because, ...]

    def to_dict(self) -> dict[str, Any]:
        """The verdict in the published order of keys."""
        facts = [fact._asdict() | {"sources": list(fact.sources)} for fact in self.because]
        return {"verdict": self.verdict, "because": facts}


class Compared(NamedTuple):
    """One of the inputs: its `name`, whether it is a machine or a lock, its traits, and what is wrong with it alone."""

    name: str
    kind: str
    traits: Mapping[str, str]
    faults: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The input in the published order of keys."""
        listed = {"faults": list(self.faults), "not_understood": list(self.not_understood)}
        return {"name": self.name, "kind": self.kind, "traits": dict(self.traits)} | listed


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The answer. Machines stand in the order of their names, differences in that of their weight.

    `lasting` are the titles of traits that matter, differ, and that no installation changes. `collective` is None where
    there are not two machines.
    """

    verdict: str
    catalog: Mapping[str, Any]
    machines: tuple[Compared, ...]
    differences: tuple[Difference, ...] = ()
    changes: tuple[Change, ...] = ()
    lasting: tuple[str, ...] = ()
    collective: Collective | None = None
    missing: tuple[Missing, ...] = ()

    @property
    def odd(self) -> tuple[str, ...]:
        """The machines that stand out in something that matters."""
        names = {name for entry in self.differences if entry.weight == MATTERS for name in entry.odd}
        return tuple(machine.name for machine in self.machines if machine.name in names)

    def to_dict(self) -> dict[str, Any]:
        """The document of `docs/schema/comparison.schema.json`, in the published order."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "catalog": dict(self.catalog),
            "machines": [machine.to_dict() for machine in self.machines],
            "differences": [entry.to_dict() for entry in self.differences],
            "odd": list(self.odd),
            "changes": [change.to_dict() for change in self.changes],
            "lasting": list(self.lasting),
            "collective": self.collective.to_dict() if self.collective else None,
            "missing": [entry._asdict() for entry in self.missing],
        }
