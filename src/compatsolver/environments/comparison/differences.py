"""Which traits differ, how much each difference weighs, and who stands out in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.environments.comparison.builds import TORCH
from compatsolver.environments.comparison.floors import refused
from compatsolver.environments.comparison.traits import BUILD, PATCH, PYTHON, traits_of
from compatsolver.errors import CatalogError
from compatsolver.explanation.fixes.premises import torch_words
from compatsolver.model.comparison import LITTLE, MATTERS, UNKNOWN, Difference, Group
from compatsolver.model.component import NONE
from compatsolver.model.observation import PACKAGE, VARIABLE
from compatsolver.model.resolution import Because

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.explanation.fixes.stack import Stack

_OF_CUDA = PACKAGE + "nvidia-"
_WEIGHTIEST_FIRST = (MATTERS, UNKNOWN, LITTLE)
MAJOR, FLOOR = "major", "floor"
"""Weights of the table that go either way, by the values that differ."""


class Rule(NamedTuple):
    """What the catalogue says of differences in one trait; `weight` and `collective` in the words of the table."""

    place: int
    title: str
    weight: str
    collective: str
    because: Because
    because_little: Because


class Rules:
    """The rows of the table of traits, by trait; packages and variables share a row each."""

    def __init__(self, catalog: Catalog) -> None:
        if not catalog.diagnosis.get("traits"):
            raise CatalogError("this catalogue does not say which differences matter", hint="use a newer catalogue")
        self._packages = {name for name, component in catalog.components.items() if component.kind == "package"}
        self._rows = {row["trait"]: _rule(catalog, place, row) for place, row in enumerate(catalog.diagnosis["traits"])}

    def rule(self, trait: str) -> Rule:
        """The rule on a trait; that of a package or variable has its name for a title."""
        if trait.startswith(PACKAGE):
            name = trait.removeprefix(PACKAGE)
            return self._rows["package" if name in self._packages else "other_package"]._replace(title=name)
        if trait.startswith(VARIABLE):
            return self._rows["variable"]._replace(title=trait.removeprefix(VARIABLE))
        return self._rows[trait]


def _rule(catalog: Catalog, place: int, row: Mapping[str, Any]) -> Rule:
    sources = tuple(str(catalog.source(position)) for position in row["sources"])
    because = Because(row["why"], row["evidence"], sources)
    little = because._replace(statement=row.get("why_little", row["why"]))
    return Rule(place, row["title"], row["weight"], row["collective"], because, little)


def differences(catalog: Catalog, rules: Rules, machines: Sequence[Machine]) -> tuple[Difference, ...]:
    """The traits in which those differ that tell them, weightiest first, then in the order of the table."""
    told = {machine.name: traits_of(catalog, machine) for machine in machines}
    found = []
    for trait in dict.fromkeys(trait for traits in told.values() for trait in traits):
        groups = _groups(trait, machines, told)
        if len(groups) > 1:
            found.append(_difference(catalog, rules.rule(trait), trait, groups, machines))
    return tuple(sorted(_by_themselves(found), key=lambda entry: _order(rules, entry)))


def _by_themselves(found: Sequence[Difference]) -> Iterator[Difference]:
    """Those that do not follow from others: a patch release from its Python, CUDA libraries from torch's build."""
    traits = {entry.trait for entry in found}
    for entry in found:
        follows = entry.trait == PATCH and PYTHON in traits
        follows |= entry.trait.startswith(_OF_CUDA) and bool(traits & {TORCH, BUILD})
        if not follows:
            yield entry


def _order(rules: Rules, entry: Difference) -> tuple[int, int, str]:
    return _WEIGHTIEST_FIRST.index(entry.weight), rules.rule(entry.trait).place, entry.trait


def _groups(trait: str, machines: Sequence[Machine], told: Mapping[str, Mapping[str, str]]) -> tuple[Group, ...]:
    """Values with who has them, the largest group first."""
    by_value: dict[str, list[str]] = {}
    for machine in machines:
        value = told[machine.name].get(trait)
        if value is None and _is_absent(trait, machine, machines, told):
            value = NONE
        if value is not None:
            by_value.setdefault(value, []).append(machine.name)
    groups = [Group(value, tuple(names)) for value, names in by_value.items()]
    return tuple(sorted(groups, key=lambda group: (-len(group.machines), group.value)))


def _is_absent(
    trait: str, machine: Machine, machines: Sequence[Machine], told: Mapping[str, Mapping[str, str]]
) -> bool:
    """Whether a trait that others tell is known not to be there. What no lock names is no matter beside locks."""
    locks = [other for other in machines if other.is_lock]
    if not trait.startswith((PACKAGE, VARIABLE)) or not machine.is_complete:
        return False
    return not locks or (not machine.is_lock and any(trait in told[lock.name] for lock in locks))


def _difference(
    catalog: Catalog, rule: Rule, trait: str, groups: tuple[Group, ...], machines: Sequence[Machine]
) -> Difference:
    weight, because = rule.weight, rule.because
    if weight == MAJOR:
        weight = MATTERS if len({group.value.partition(".")[0] for group in groups}) > 1 else LITTLE
    elif weight == FLOOR:
        stack = refused(catalog, [machine.stack for machine in machines], trait)
        weight = MATTERS if stack else LITTLE
        because = because._replace(statement=_told(because.statement, trait, stack)) if stack else because
    because = rule.because_little if weight == LITTLE else because
    return Difference(trait, rule.title, weight, groups, tuple(sorted(_odd(groups, machines))), because)


def _told(sentence: str, slot: str, stack: Stack) -> str:
    """A sentence of the table with the values that it is about."""
    return sentence.format(value=getattr(stack, slot), stack=torch_words(stack))


def _odd(groups: Sequence[Group], machines: Sequence[Machine]) -> Iterator[str]:
    """Who departs from the locks, or else from the majority; nobody where neither says one thing."""
    locks = {machine.name for machine in machines if machine.is_lock}
    meant = [group for group in groups if locks & set(group.machines)]
    if len(meant) == 1 or (not meant and len(groups[0].machines) > len(groups[1].machines)):
        usual = meant[0] if meant else groups[0]
        yield from (name for group in groups if group is not usual for name in group.machines)
