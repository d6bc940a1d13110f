"""What resolvelib asks: which releases there are, which of them are wanted, and what those want in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from resolvelib import AbstractProvider

from compatsolver.locking.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from resolvelib.resolvers import RequirementInformation
    from resolvelib.structs import Matches

    from compatsolver.locking.releases import Release
    from compatsolver.locking.shelf import Shelf


class Chosen(NamedTuple):
    """A release, or one extra of it: what resolvelib pins."""

    release: Release
    extra: str = ""

    @property
    def words(self) -> str:
        """How a message names it."""
        extra = f"[{self.extra}]" if self.extra else ""
        return f"{self.release.name}{extra} {self.release.version}"


class Provider(AbstractProvider[Wanted, Chosen, str]):
    """Reads a shelf: what caused trouble first, then the governed packages in the solver's order, then the rest.

    `report` is told of each package that is decided on; `met` is what the last step back was for.
    """

    def __init__(self, shelf: Shelf, report: Callable[[str], None]) -> None:
        self._shelf = shelf
        self._report = report
        self.met: Sequence[RequirementInformation[Wanted, Chosen]] = ()
        self._order = {name: place for place, name in enumerate(shelf.stack.names)}

    def identify(self, requirement_or_candidate: Wanted | Chosen) -> str:
        """A package, or one extra of it."""
        entry = requirement_or_candidate
        name = entry.name if isinstance(entry, Wanted) else entry.release.name
        return f"{name}[{entry.extra}]" if entry.extra else name

    def get_preference(
        self,
        identifier: str,
        resolutions: Mapping[str, Chosen],
        candidates: Mapping[str, Iterator[Chosen]],
        information: Mapping[str, Iterator[RequirementInformation[Wanted, Chosen]]],
        backtrack_causes: Sequence[RequirementInformation[Wanted, Chosen]],
    ) -> tuple[bool, int, bool, str]:
        """What caused trouble, then the governed packages, then what is pinned exactly."""
        self.met = backtrack_causes or self.met
        is_cause = any(identifier == self.identify(cause.requirement) for cause in backtrack_causes)
        is_exact = any(entry.requirement.is_exact for entry in information[identifier])
        return not is_cause, self._order.get(identifier, len(self._order)), not is_exact, identifier

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[Wanted]],
        incompatibilities: Mapping[str, Iterator[Chosen]],
    ) -> Matches[Chosen]:
        """The releases that everybody accepts, best first; each is looked at when its turn comes."""
        name, _, extra = identifier.rstrip("]").partition("[")
        wanted = list(requirements[identifier])
        if extra:
            wanted += requirements.get(name, ())
        excluded = {entry.release.key for entry in incompatibilities[identifier]}

        def matches() -> Iterator[Chosen]:
            for release in self._shelf.fitting(name, wanted):
                if release.key not in excluded and self._shelf.is_usable(release):
                    yield Chosen(release, extra)

        return matches

    def is_satisfied_by(self, requirement: Wanted, candidate: Chosen) -> bool:
        """Whether a release is what is wanted."""
        return requirement.accepts(candidate.release)

    def get_dependencies(self, candidate: Chosen) -> list[Wanted]:
        """What a release, or one extra of it, wants."""
        self._report(candidate.words)
        release = candidate.release
        if not candidate.extra:
            return self._shelf.dependencies(release)
        return [self._shelf.exactly(release), *self._shelf.dependencies(release, candidate.extra)]
