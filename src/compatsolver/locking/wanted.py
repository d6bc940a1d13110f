"""Requirements in the closure: what is wanted of a package, and who wants it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compatsolver.locking.fit import Fit
    from compatsolver.locking.releases import Release

ANY = SpecifierSet()
_ONE_EXTRA = re.compile(r""";\s*extra\s*==\s*(['"])([\w.-]+)\1\s*\Z""")
"""A marker that is one extra and nothing else: four in five of the requirements in metadata, so most go unparsed."""


class Wanted(NamedTuple):
    """What somebody wants of a package, or of one extra of it.

    `text` is the requirement as written, `by` who wrote it. `allowed` is what the catalogue leaves of a package that it
    governs, as a set of candidates, and `source` the index and local version that go with a build of torch.
    """

    name: str
    specifier: SpecifierSet = ANY
    extra: str = ""
    text: str = ""
    by: str = ""
    allowed: int | None = None
    source: tuple[str, str | None] | None = None

    def accepts(self, release: Release) -> bool:
        """Whether a release is what is wanted."""
        if self.allowed is not None and (release.position is None or not self.allowed >> release.position & 1):
            return False
        if self.source is not None and self.source != (release.index, release.version.local):
            return False
        return not self.specifier or self.specifier.contains(release.version, prereleases=True)

    @property
    def is_exact(self) -> bool:
        """Whether one version was named, which may then be a withdrawn one."""
        return any(entry.operator in ("==", "===") and not entry.version.endswith(".*") for entry in self.specifier)


def wanted_by(texts: Iterable[str], by: str, fit: Fit, extra: str = "") -> Iterator[Wanted]:
    """The requirements of a distribution that count on the target, those of one extra or those without any.

    Raises ValueError for one that is none, or that names an address.
    """
    for text in texts:
        one = _ONE_EXTRA.search(text)
        if one and canonicalize_name(one[2]) != extra:
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement as error:
            raise ValueError(f"{text!r} is not a requirement: {error}") from None
        is_of_extra = not fit.applies(requirement.marker) if extra else True
        if is_of_extra and fit.applies(requirement.marker, extra):
            if requirement.url:
                raise ValueError(f"{text!r} names an address, which no index vouches for")
            yield from _each(requirement, text, by)


def _each(requirement: Requirement, text: str, by: str) -> Iterator[Wanted]:
    name = canonicalize_name(requirement.name)
    written = text.partition(";")[0].strip()
    for extra in ("", *sorted(canonicalize_name(extra) for extra in requirement.extras)):
        yield Wanted(name, requirement.specifier, extra, written, by)
