"""The catalogue in memory and the questions the floors above ask of it."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from compatsolver.catalog.rules import NamedClause, RuleTable, clauses_of, rules_of
from compatsolver.model.component import Component
from compatsolver.model.provenance import Source
from compatsolver.model.rule import Rule

BUILDS = "builds/"
"""What the names of the sections with torch's builds begin with; the release follows."""


class Build(NamedTuple):
    """What is known of one torch build on one platform; None is unknown, an empty list is known to be empty.

    `evidence` maps a field to its level; `sources` and `arch_sources` are positions in the catalogue's sources.
    """

    published: str
    default_index: bool
    index: str | None  # type: ignore[assignment]  # hides tuple.index, which nobody asks of it
    cuda: str | None
    cudnn: str | None
    nccl: str | None
    triton: str | None
    glibc: str | None
    pythons: tuple[str, ...]
    sass: tuple[str, ...] | None
    ptx: tuple[str, ...] | None
    evidence: Mapping[str, str]
    sources: tuple[int, ...]
    arch_sources: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def is_published(self) -> bool:
        """Whether the build is known to be published, be it by the build matrix alone."""
        return self.published in ("yes", "build-matrix")

    @property
    def is_known_to_run_code(self) -> bool:
        """Whether this is a published build for GPUs whose arch list was read."""
        return self.is_published and bool(self.sass)


class Release(NamedTuple):
    """What is known of one release of another package."""

    released: str | None
    yanked: bool
    requires: Mapping[str, str]
    evidence: str
    sources: tuple[int, ...]
    notes: tuple[str, ...]


class Branch(NamedTuple):
    """A driver branch: numbers from `first_major` up to (not including) `below_major`, on Linux and Windows."""

    name: str
    first_major: int
    below_major: int
    max_cuda: str | None


class Alias(NamedTuple):
    """Another name of a component, what to tell the user, and a specifier on the runtimes that it is made for."""

    component: str
    why: str
    cuda: str | None = None


class Catalog:
    """A closed set of facts, equal to itself alone.

    `payload` keeps the parts that only some questions need, still in their stored form.

    `rules_by_library`: the rules from the table of a library by its name, and under "" those on machines and torch.
    """

    def __init__(
        self,
        version: str,
        digest: str,
        horizon: str,
        components: Mapping[str, Component],
        rules_by_library: Mapping[str, RuleTable],
        payload: Mapping[str, Any],
    ) -> None:
        self.version = version
        self.digest = digest
        self.horizon = horizon
        self.components = components
        self.rules_by_library = rules_by_library
        self.payload = payload

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules."""
        return tuple(self.rules_on(self.rules_by_library))

    def rules_on(self, components: Iterable[str]) -> Iterator[Rule]:
        """The rules on machines and torch, and those of the libraries among some components."""
        for table in self._tables_on(components):
            yield from table.rules

    def clauses_on(self, components: Iterable[str]) -> Iterator[NamedClause]:
        """What the search needs of the rules that `rules_on` gives, in the same order."""
        for table in self._tables_on(components):
            yield from table.clauses

    def _tables_on(self, components: Iterable[str]) -> list[RuleTable]:
        names = {"", *components}
        return [self.rules_by_library[library] for library in self.rules_by_library if library in names]

    @cached_property
    def rules_beyond(self) -> tuple[Rule, ...]:
        """Rules for torch builds that the tables do not list; plans have none of them."""
        clauses, facts = self.diagnosis["rules"]
        return rules_of(clauses_of(clauses), facts)

    @cached_property
    def requires(self) -> Mapping[str, Sequence[str]]:
        """Library → what some release of it requires."""
        return {name: tuple(required) for name, required in self.payload["requires"].items()}

    @cached_property
    def diagnosis(self) -> Mapping[str, Any]:
        """What only diagnosis reads: `symptoms`, `kinds`, `compilers`, `archive`, `rules`, `islands`, as stored."""
        rows: dict[str, Any] = self.payload["diagnosis"]
        return rows

    @cached_property
    def builds(self) -> Sequence[Build]:
        """Facts of the torch candidates, in the order of the component's candidates."""
        return tuple(self.build(position) for position in range(len(self.components["torch"].candidates)))

    @cached_property
    def branches(self) -> Sequence[Branch]:
        """Driver branches, newest first."""
        return tuple(Branch(*row) for row in self.payload["branches"])

    @cached_property
    def aliases(self) -> Mapping[str, Alias]:
        """Other names of components."""
        return {name: Alias(*row) for name, row in self.payload["aliases"].items()}

    @cached_property
    def architectures(self) -> Mapping[str, str]:
        """Compute capability → the architecture's name."""
        return dict(self.payload["architectures"])

    @property
    def rows(self) -> Mapping[str, int]:
        """Table → the number of rows it was made from; torch counts builds, libraries their releases."""
        return dict(self.payload.get("rows", {}))

    @property
    def overlay(self) -> Sequence[Mapping[str, str]]:
        """The overlays laid on, earliest first: `title`, name of the `file`, its `digest` (SHA-256)."""
        return tuple(self.payload.get("overlay", ()))

    def extras(self, package: str) -> Mapping[str, Sequence[str]]:
        """The extras of a package, each with what it requires of components in some release."""
        return dict(self.payload["extras"].get(package, {}))

    def identity(self) -> dict[str, Any]:
        """How documents name it: version, digest, and the overlays where there are any."""
        words: dict[str, Any] = {"version": self.version, "digest": self.digest}
        return words | {"overlay": [dict(entry) for entry in self.overlay]} if self.overlay else words

    def build(self, position: int) -> Build:
        """Facts of one torch candidate."""
        version = self.components["torch"].candidates[position].version
        return Build(*_frozen(self.payload[BUILDS + version][position - self._first_builds[version]]))

    @cached_property
    def _first_builds(self) -> Mapping[str, int]:
        """torch release → the position of the first of its builds, which stand together."""
        candidates = self.components["torch"].candidates
        return {candidates[place].version: place for place in reversed(range(len(candidates)))}

    def release(self, package: str, position: int) -> Release:
        """Facts of one candidate of another package."""
        return Release(*_frozen(self.payload["releases"][package][position]))

    def released(self, package: str, version: str) -> str | None:
        """The day a release was published, ISO 8601; None where it is unknown."""
        if package == "torch":
            day: str | None = self.payload["released"].get(version)
            return day
        for position, candidate in enumerate(self.components[package].candidates):
            if candidate.version == version and position < len(self.payload["releases"].get(package, ())):
                return self.release(package, position).released
        return None

    def reason(self, rule: str) -> str:
        """Why the packages of a rule do not work together, by the rule's id; empty where no row says."""
        return str(self.payload["reasons"].get(rule, ""))

    def remarks(self, position: int) -> Sequence[tuple[str, Sequence[str] | None]]:
        """What plans with a torch candidate say, each with the capabilities that it is about, None for all."""
        return tuple((text, gpus) for text, gpus in self.payload["remarks"].get(str(position), ()))

    def incomplete_torch(self) -> frozenset[str]:
        """torch releases that may have builds which nobody has listed yet."""
        return frozenset(self.payload["incomplete"])

    def source(self, position: int) -> Source:
        """One source."""
        return Source(*self.payload["sources"][position])

    def branch_of(self, driver_major: int) -> Branch | None:
        """The branch a driver number belongs to, or None before the first and past the last known."""
        for branch in self.branches:
            if branch.first_major <= driver_major < branch.below_major:
                return branch
        return None


def _frozen(row: Sequence[Any]) -> list[Any]:
    return [tuple(value) if isinstance(value, list) else value for value in row]
