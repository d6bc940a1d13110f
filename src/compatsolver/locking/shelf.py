"""The releases that an index and the catalogue together offer for a target, and what is known of each."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from threading import Lock
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from compatsolver.errors import HashMismatch, IndexUnavailable, NotCached
from compatsolver.locking.releases import Release, Releases
from compatsolver.locking.wanted import Wanted, wanted_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from compatsolver.index.client import Client
    from compatsolver.index.metadata import Metadata
    from compatsolver.index.pages import RemoteFile
    from compatsolver.locking.fit import Fit
    from compatsolver.locking.stack import Stack


class Unlisted(Exception):  # noqa: N818 - a message between two loops of this room, never shown
    """A package that the catalogue governs is wanted and has no place in the problem yet."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__(wanted.name)
        self.wanted = wanted


class Shelf:
    """What can be taken: `stack` is governed, everything else is what the indexes list.

    `constraints` bind packages that are in the closure anyway. `direct` are releases asked for by address or path.
    `governed` names what may only come from the stack. `early` names packages whose pre-releases
    were asked for, None is all. `skipped` collects, by release, why one was passed over.
    """

    def __init__(
        self,
        client: Client,
        fit: Fit,
        stack: Stack,
        *,
        governed: frozenset[str] = frozenset(),
        constraints: Mapping[str, SpecifierSet] | None = None,
        direct: Mapping[str, Release] | None = None,
        early: Collection[str] | None = (),
    ) -> None:
        self.client = client
        self.fit = fit
        self.stack = stack
        self.skipped: dict[str, str] = {}
        self._governed = governed
        self._constraints = constraints or {}
        self._direct = direct or {}
        self._early = early
        self._lock = Lock()
        self._required: dict[tuple[str, Version, str, str], list[Wanted]] = {}
        self._wanting: dict[str, set[str]] = {}
        self._releases: dict[tuple[str, str | None], Mapping[str, Release]] = {}
        self._files: dict[tuple[str, Version, str], list[RemoteFile]] = {}

    def ahead(self) -> Shelf:
        """The same shelf for fetching ahead; what is passed over there depends on the threads, and is not told."""
        other = copy(self)
        other.skipped = {}
        return other

    def fitting(self, name: str, wanted: Sequence[Wanted]) -> Iterator[Release]:
        """The releases that all accept, best first; raises Unlisted for a governed package outside the problem."""
        if name in self._governed and name not in self.stack.names:
            raise Unlisted(wanted[-1])
        constraint = self._constraints.get(name)
        exact = any(entry.is_exact for entry in wanted)
        for release in self._offered(name, wanted):
            if constraint is not None and not constraint.contains(release.version, prereleases=True):
                continue
            if not self._is_timely(release):
                continue
            if release.is_yanked and not exact:
                continue
            if all(entry.accepts(release) for entry in wanted) and (release.is_direct or self.installable(release)):
                yield release

    def installable(self, release: Release) -> RemoteFile | None:
        """The file that would be installed on the target: the best wheel, else a source archive."""
        return next(iter(self.files(release)), None)

    def files(self, release: Release) -> list[RemoteFile]:
        """The files of a release that the target can install; a source archive counts only without a wheel."""
        if release.is_direct:
            return list(release.files)
        key = (release.name, release.version, release.index)
        found = self._files.get(key)
        if found is None:
            found = self._files[key] = release.wheels(self.fit) or release.sources(self.fit)[:1]
        return found

    def is_usable(self, release: Release) -> bool:
        """Whether what a release wants can be known; if not, `skipped` says why."""
        try:
            metadata = self.metadata(release)
            self.dependencies(release)
        except (NotCached, HashMismatch):
            raise
        except (IndexUnavailable, ValueError) as error:
            self.skipped[f"{release.name} {release.version}"] = getattr(error, "message", str(error))
            return False
        if not metadata.is_static:
            self.skipped[f"{release.name} {release.version}"] = (
                "there is no wheel for the target, and what its source requires shows only when its code is run"
            )
            return False
        return self.fit.runs(metadata.requires_python)

    def metadata(self, release: Release) -> Metadata:
        """What the file to install says of itself."""
        file = self.installable(release)
        if file is None:
            raise ValueError(f"{release.name} {release.version} has no file for the target")
        found = self.client.metadata(file)
        if found.name != release.name or Version(found.version) != release.version:
            raise ValueError(f"{file.name} says that it is {found.name} {found.version}")
        return found

    def required(self, release: Release, extra: str = "") -> list[Wanted]:
        """What a release, or one extra of it, wants by its metadata."""
        key = (release.name, release.version, release.index, extra)
        found = self._required.get(key)
        if found is None:
            by = f"{release.name} {release.version}"
            found = list(wanted_by(self.metadata(release).requires, by, self.fit, extra))
            with self._lock:
                self._required[key] = found
                for wanted in found:
                    self._wanting.setdefault(wanted.name, set()).add(release.name)
        return found

    def dependencies(self, release: Release, extra: str = "") -> list[Wanted]:
        """What a release wants, and what the catalogue leaves beside it where it is governed."""
        found = [*self.required(release, extra)]
        if release.position is not None and not extra:
            found += self.stack.demands(release.name, release.position) or ()
        return found

    def wanting(self, names: Iterable[str]) -> list[str]:
        """Some packages, and all that were seen to require them, directly or not, by name."""
        waiting, found = list(names), set(names)
        while waiting:
            more = self._wanting.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return sorted(found)

    def everything(self, name: str, stack: Stack) -> list[Release]:
        """All releases that could be taken by whatever requirement; of governed packages all candidates of a stack."""
        if name in stack.names:
            return [self._candidate(name, position, stack) for position in stack.positions(name)]
        if name in self._direct:
            return [self._direct[name]]
        constraint = self._constraints.get(name)
        offered = self.releases(name).values()
        bound = [row for row in offered if not constraint or constraint.contains(row.version, prereleases=True)]
        return [release for release in bound if self._is_timely(release) and self.installable(release)]

    def _is_timely(self, release: Release) -> bool:
        """Whether a release is final, or was to be taken before it is; what other packages want does not count."""
        return not release.version.is_prerelease or self._early is None or release.name in self._early

    def _candidate(self, name: str, position: int, stack: Stack) -> Release:
        """A candidate with the files that the indexes list of it, without any where they do not."""
        version, index = stack.spelling(name, position) or (Version("0"), None)
        found = None
        with suppress(IndexUnavailable):
            found = None if stack.follows_torch(name) else self._listed(name, position, None)
        return (found or Release(name, version, index or "", ()))._replace(position=position)

    def exactly(self, release: Release) -> Wanted:
        """The requirement that an extra makes on its own package."""
        text = f"{release.name}=={release.version}"
        return Wanted(release.name, SpecifierSet(f"==={release.version}"), text=text, by=text)

    def releases(self, name: str, index: str | None = None) -> Mapping[str, Release]:
        """The releases of a project on one index, or on the first that has it, by version, newest first."""
        key = (name, index)
        found = self._releases.get(key)
        if found is None:
            project = self.client.project(name, index)
            found = Releases(project) if project else {}
            with self._lock:
                self._releases[key] = found
        return found

    def _offered(self, name: str, wanted: Sequence[Wanted]) -> Iterator[Release]:
        if name in self._direct:
            yield self._direct[name]
        elif name in self.stack.names:
            yield from self._governed_releases(name, wanted)
        else:
            yield from self.releases(name).values()

    def _governed_releases(self, name: str, wanted: Sequence[Wanted]) -> Iterator[Release]:
        """The candidates of the stack that an index really has, in the stack's order."""
        source = next((entry.source for entry in wanted if entry.source), None)
        for number, position in enumerate(self.stack.positions(name)):
            if self.stack.demands(name, position) is None:
                continue
            try:
                release = self._listed(name, position, source)
            except IndexUnavailable as error:
                if number == 0 or isinstance(error, (NotCached, HashMismatch)):
                    raise
                self.skipped[self.stack.words(name, position)] = error.message
                continue
            if release:
                yield release._replace(position=position)
            else:
                self.skipped[self.stack.words(name, position)] = "the index does not list it"

    def _listed(self, name: str, position: int, source: tuple[str, str | None] | None) -> Release | None:
        """A candidate of the stack on the index that serves it; raises IndexUnavailable where that cannot be read."""
        spelled = self.stack.spelling(name, position)
        if spelled is None:
            return None
        version, index = spelled
        if source and self.stack.follows_torch(name):
            index = source[0]
            version = Version(f"{version}+{source[1]}") if source[1] else version
        return self.releases(name, index).get(str(version))
