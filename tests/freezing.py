"""Record the piece of the default package index that `tests/frozen.py` reads; needs the network and a minute.

    python tests/freezing.py

Of every project that the request can reach it takes the newest releases, the last of each older series, and what
others require as one exact version; of each release the one wheel that the target would install. What counts only
under an extra that nobody asks for is left out.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from compatsolver.errors import CompatError
from compatsolver.index.cache import Cache
from compatsolver.index.client import Client
from compatsolver.index.settings import CONNECTIONS, default_index, read_settings
from compatsolver.locking.fit import Fit
from compatsolver.locking.releases import Releases
from compatsolver.model.request import Target
from frozen import FILE, Frozen, written
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from packaging.specifiers import SpecifierSet

    from compatsolver.locking.releases import Release

REQUEST = ("torch", "transformers", "peft", "accelerate", "datasets", "bitsandbytes")
TARGET = Target(python="3.12", platform="linux-x86_64", glibc="2.35")
NEWEST = 10
SERIES = 10
SERIES_OF_ASKED = 40
"""How many older series (`major.minor`) have their last release recorded, and of what is asked for by name."""


class Recording:
    """Follows requirements from project to project; `extras` are those that anybody asks of a project."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._fit = Fit(TARGET)
        self._pages: dict[str, list[Release]] = {}
        self._pins: dict[str, set[SpecifierSet]] = {}
        self.extras: dict[str, set[str]] = {name: set() for name in REQUEST}

    def follow(self) -> dict[str, list[Frozen]]:
        """Every project that is reached, with the releases that are recorded of it."""
        while True:
            names = list(self.extras)
            with ThreadPoolExecutor(CONNECTIONS) as pool:
                found = dict(zip(names, pool.map(self._recorded, names), strict=True))
            before = self._size
            for releases in found.values():
                self._note(release.wheel for release in releases)
            if self._size == before:
                return found
            print(f"{len(self.extras)} projects", file=sys.stderr)

    @property
    def _size(self) -> int:
        """Grows with each project, extra and pin that is found."""
        return len(self.extras) + sum(map(len, self.extras.values())) + sum(map(len, self._pins.values()))

    def _note(self, wheels: Iterable[Wheel]) -> None:
        for text in {text for wheel in wheels for text in wheel.requires}:
            requirement = Requirement(text)
            if self._counts(requirement, {""} | self._asked()):
                name = canonicalize_name(requirement.name)
                self.extras.setdefault(name, set()).update(map(canonicalize_name, requirement.extras))
                if any(row.operator == "==" for row in requirement.specifier):
                    self._pins.setdefault(name, set()).add(requirement.specifier)

    def _asked(self) -> set[str]:
        return {extra for extras in self.extras.values() for extra in extras}

    def _recorded(self, name: str) -> list[Frozen]:
        return [found for release in self._chosen(name) if (found := self._frozen(release))]

    def _chosen(self, name: str) -> Iterator[Release]:
        if name not in self._pages:
            project = self._client.project(name)
            self._pages[name] = list(Releases(project).values()) if project else []
        final = [row for row in self._pages[name] if not row.version.is_prerelease and row.wheels(self._fit)]
        older: dict[tuple[int, int], Release] = {}
        for release in final[NEWEST:]:
            older.setdefault((release.version.major, release.version.minor), release)
        series = islice(older.values(), SERIES_OF_ASKED if name in REQUEST else SERIES)
        pinned = [next(pin.filter(row.version for row in final), None) for pin in self._pins.get(name, ())]
        chosen = {*pinned, *(row.version for row in (*final[:NEWEST], *series))}
        yield from (row for row in final if row.version in chosen)

    def _frozen(self, release: Release) -> Frozen | None:
        file = release.wheels(self._fit)[0]
        try:
            metadata = self._client.metadata(file)
        except CompatError as error:
            print(f"{file.name}: {error.message}", file=sys.stderr)
            return None
        asked = {""} | self.extras[release.name]
        requires = tuple(text for text in metadata.requires if self._counts(Requirement(text), asked))
        tag = "-".join(file.name.removesuffix(".whl").split("-")[-3:])
        wheel = Wheel(release.name, str(release.version), tag, requires, metadata.requires_python)
        return Frozen(wheel, yanked=release.is_yanked)

    def _counts(self, requirement: Requirement, extras: Iterable[str]) -> bool:
        return any(self._fit.applies(requirement.marker, extra) for extra in extras)


def main() -> None:
    with TemporaryDirectory() as scratch:
        cache = Cache(Path(sys.argv[1] if len(sys.argv) > 1 else scratch))
        with Client(read_settings(default_index()), cache) as client:
            recording = Recording(client)
            found = recording.follow()
    lines = [written(name, recording.extras[name], found[name]) for name in sorted(found) if found[name]]
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
