"""What a requirement selects among the candidates of a component.

A requirement without versions is answered here; one with versions needs `solver.requirements`, and with it packaging,
which is imported for the first of them.
"""

from compatsolver.catalog.catalogue import Catalog
from compatsolver.model.request import Requirement, Selection


def select(catalog: Catalog, requirement: Requirement) -> Selection:
    """The candidates of a package that satisfy a requirement; raises InvalidRequirement."""
    if requirement.specifier:
        from compatsolver.solver.requirements import select_versions

        return select_versions(catalog, requirement)
    candidates = catalog.components[requirement.name].candidates
    return Selection(sum(1 << place for place, candidate in enumerate(candidates) if candidate.is_version))
