"""Generations of an environment: what each was made from, and what was shown before it was taken into use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

LISTING_SCHEMA, SYNC_SCHEMA = "compatsolver.generations/1", "compatsolver.sync/1"
NONE, QUICK, FULL = LEVELS = ("none", "quick", "full")
"""Levels of proof, each of which includes those before it."""
BUILT, SWITCHED, UNCHANGED = "built", "switched", "unchanged"


class Proof(NamedTuple):
    """What was run in a generation, all of it with success. `passed` and `skipped` are names of checks.

    `device` is `cpu` or `cuda`, None where nothing computed, which is so without torch. `confirmed` is that of a
    `ValidationReport`.
    """

    level: str = NONE
    device: str | None = None
    confirmed: bool = False
    passed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def covers(self, level: str) -> bool:
        """Whether this is as much as that level asks for."""
        return LEVELS.index(self.level) >= LEVELS.index(level)


class Generation(NamedTuple):
    """An environment that was built and proven. `folder` is its name beside the others.

    `environment` is the path that it was built to be used by. `made` is the time of it, ISO 8601, UTC. `lock` has the
    name and the SHA-256 of the lock file. `asked_python` is the interpreter that was named for it, None where none was.
    `packages` are the versions that were installed, by name.
    """

    number: int
    folder: str
    environment: str
    made: str
    lock: Mapping[str, str]
    python: str | None
    asked_python: str | None
    installer: str
    packages: Mapping[str, str]
    proof: Proof = Proof()

    def to_dict(self) -> dict[str, Any]:
        """The record of `docs/schema/generations.schema.json`."""
        proof = self.proof._asdict() | {"passed": list(self.proof.passed), "skipped": list(self.proof.skipped)}
        return self._asdict() | {"lock": dict(self.lock), "packages": dict(self.packages), "proof": proof}


class Generations(NamedTuple):
    """The generations of the environment at a path, newest first; `active` is the number of the one in use."""

    environment: str
    active: int | None
    kept: tuple[Generation, ...]

    def to_dict(self) -> dict[str, Any]:
        """The document of `docs/schema/generations.schema.json`."""
        kept = [generation.to_dict() for generation in self.kept]
        return {"schema": LISTING_SCHEMA, "environment": self.environment, "active": self.active, "generations": kept}


class Synced(NamedTuple):
    """What came of a sync or a rollback: the generation that is in use now.

    `status`: it was built for this, or an earlier one took the place, or nothing had to be done. `before` and `after`
    are the bytes that all generations take on disk, None where they were not counted. `removed` are the numbers of
    generations that were deleted.
    """

    environment: str
    status: str
    generation: Generation
    previous: int | None = None
    before: int | None = None
    after: int | None = None
    removed: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The document of `docs/schema/sync.schema.json`."""
        lists = {"removed": list(self.removed), "notes": list(self.notes)}
        return {"schema": SYNC_SCHEMA, **self._asdict(), "generation": self.generation.to_dict(), **lists}
