"""What a requirement selects among the candidates of a component.

A requirement without versions is answered here; one with versions needs `solver.requirements`, and with it packaging,
which is imported for the first of them.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from typing import NamedTuple

from compatsolver.catalog.catalogue import Catalog
from compatsolver.model.component import NONE, UNKNOWN, Candidate
from compatsolver.model.request import Requirement
from compatsolver.model.rule import Unknown


class Selection(NamedTuple):
    """Candidates a requirement allows; `unlisted` says what is not known where only unlisted versions could match.

    `torch_builds` is set where a companion's local version asks for a build of torch: torchvision==0.24.1+cu128.
    """

    allowed: int
    unlisted: Unknown | None = None
    torch_builds: int | None = None


def select(catalog: Catalog, requirement: Requirement) -> Selection:
    """The candidates of a package that satisfy a requirement; raises InvalidRequirement."""
    if requirement.specifier:
        from compatsolver.solver.requirements import select_versions

        return select_versions(catalog, requirement)
    candidates = catalog.components[requirement.name].candidates
    return Selection(sum(1 << place for place, candidate in enumerate(candidates) if is_version(candidate)))


def is_version(candidate: Candidate) -> bool:
    """Whether a candidate is a release, and not a word for its absence."""
    return candidate.version not in (NONE, UNKNOWN)
