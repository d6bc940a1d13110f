"""Which of the packages asked for the catalogue knows: aliases resolved and said, other packages carried along."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compatsolver.catalog.catalogue import Catalog
from compatsolver.errors import UnknownComponent
from compatsolver.model.request import Requirement

_PATCH = re.compile(r"\d+\.\d+\.\d")
_ONE_EDIT = 0.85
"""difflib's ratio of two names of usual length that differ by one letter is above this."""


class Asked(NamedTuple):
    """What was asked for: on components of the catalogue, and of packages it holds no facts on.

    `unchecked_notes` is what to tell of the latter by whoever does not look at an index.
    """

    known: tuple[Requirement, ...]
    others: tuple[Requirement, ...]
    notes: tuple[str, ...]
    unchecked_notes: tuple[str, ...]

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The requirements on other packages as they were written."""
        return tuple(dict.fromkeys(entry.text for entry in self.others))


def sort_out(catalog: Catalog, requirements: Iterable[Requirement]) -> Asked:
    """Tell known packages from others; raises UnknownComponent for what looks like a known name misspelt.

    Constraints on packages that nothing asks for say nothing. A package that the catalogue does not know is carried
    into the commands as asked, because only the resolution of an index can check it.
    """
    known: list[Requirement] = []
    others: list[Requirement] = []
    notes: dict[str, None] = {}
    for requirement in requirements:
        alias = catalog.aliases.get(requirement.name)
        name = alias.component if alias else requirement.name
        component = catalog.components.get(name)
        if component is not None and component.kind != "host":
            known.append(requirement._replace(name=name))
            if alias and alias.cuda and not requirement.is_constraint:
                known.append(requirement._replace(name="cuda", specifier=alias.cuda, is_constraint=True))
            notes |= dict.fromkeys(_remarks(catalog, name, requirement))
        else:
            others.append(requirement)
    unchecked = _unchecked(catalog, others)
    return Asked(tuple(known), tuple(unchecked), tuple(notes), tuple(_unchecked_notes(catalog, unchecked)))


def _unchecked_notes(catalog: Catalog, unchecked: Sequence[Requirement]) -> Iterator[str]:
    if unchecked:
        names = ", ".join(dict.fromkeys(entry.name for entry in unchecked))
        yield f"the catalogue holds no facts on {names}: carried as asked, and only `lock` can check it"
    near = {entry.name: " or ".join(_near(catalog, entry.name)) for entry in unchecked}
    yield from (f"{name}: did you mean {others}?" for name, others in near.items() if others)


def _remarks(catalog: Catalog, name: str, requirement: Requirement) -> Iterator[str]:
    """What to tell of the reading of a known package."""
    if requirement.name in catalog.aliases:
        yield catalog.aliases[requirement.name].why
    if name == "cuda" and _PATCH.search(requirement.specifier):
        yield _by_minor(requirement.text)
    strangers = [extra for extra in requirement.extras if extra not in catalog.extras(name)]
    if strangers:
        yield f"the catalogue does not know what {name}[{','.join(strangers)}] adds: carried as asked"


def runtime_notes(cuda: str | None) -> tuple[str, ...]:
    """What to tell of the reading of a runtime that was asked for beside the packages."""
    return (_by_minor(f"CUDA {cuda}"),) if cuda and _PATCH.search(cuda) else ()


def _by_minor(text: str) -> str:
    return f"{text} is read by its minor version: PyTorch's builds name no more of CUDA"


def _unchecked(catalog: Catalog, requirements: list[Requirement]) -> list[Requirement]:
    asked = {entry.name for entry in requirements if not entry.is_constraint}
    carried = [entry for entry in requirements if entry.name in asked]
    for entry in carried:
        _refuse_misspelt(catalog, entry)
    return carried


def _refuse_misspelt(catalog: Catalog, requirement: Requirement) -> None:
    name = requirement.name
    component = catalog.components.get(name)
    if name in catalog.aliases:
        return
    if component is not None:
        raise UnknownComponent(
            f"{requirement.words} is not a package but a part of the target",
            hint=f"give the {component.title} with --{name}",
        )
    near = _near(catalog, name)
    if near and not any(name.startswith(other) for other in near):
        raise UnknownComponent(f"the catalogue does not know the package {requirement.words!r}", near=near)


def _near(catalog: Catalog, name: str) -> tuple[str, ...]:
    """Known names one letter away; a name that only adds a letter (`torchx`) may well be a package of its own."""
    from difflib import get_close_matches

    packages = [row.name for row in catalog.components.values() if row.kind != "host"]
    alike = get_close_matches(name, [*packages, *catalog.aliases], n=3, cutoff=_ONE_EDIT)
    return tuple(other for other in alike if other != name and abs(len(other) - len(name)) <= 1)
