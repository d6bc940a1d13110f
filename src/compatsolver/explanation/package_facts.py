"""English about the packages beside torch: wheels, what they require, what they work with, their native libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.catalog.tables import tables_of
from compatsolver.explanation.ranges import interval_words, listing, version_words, versions_of
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.derivation import Step


def package_sentence(catalog: Catalog, step: Step) -> str:
    """A rule on packages as a sentence; the column it was made from and its kind tell which."""
    rule = step.entry.rule
    if rule.field == "requires":
        return _requirement(catalog, step)
    if rule.field == "works_with":
        return _pair(catalog, step)
    if rule.field == "binaries":
        return _library(catalog, step) if rule.kind is Kind.BNB_CUDA_BINARY else _code(catalog, step)
    if rule.field == "prebuilt":
        return _prebuilt(catalog, step)
    if rule.field == "runs_on":
        return f"{_concerned(catalog, step, 0)} needs compute capability {rule.id.rpartition('/')[2]} or newer"
    if rule.kind is Kind.GLIBC_MIN:
        return _glibc(catalog, step)
    return f"{_concerned(catalog, step, -1)} must be built from source" if rule.avoid else _wheels(catalog, step)


def is_withdrawn(catalog: Catalog, name: str, version: str) -> bool:
    """Whether a release is known and yanked, so that plans leave it out although it exists."""
    rows = tables_of(catalog)["libraries"].get(name, ()) if "tables" in catalog.payload else ()
    return any(row["version"] == version and row["yanked"] for row in rows)


def _concerned(catalog: Catalog, step: Step, number: int) -> str:
    """A package and those of its versions, still possible, that a rule is about; `number` is its literal's place."""
    literal = step.entry.rule.literals[number]
    component = catalog.components[literal.component]
    concerned = component.everything & ~literal.allowed
    possible = concerned & step.before[step.entry.slots[number]]
    return f"{component.name} {version_words(component, possible or concerned)}"


def _requirement(catalog: Catalog, step: Step) -> str:
    rule = step.entry.rule
    package, required = rule.literals[0].component, rule.literals[1].component
    component = catalog.components[package]
    versions = version_words(component, component.everything & ~rule.literals[0].allowed)
    package += f"[{rule.extra}]" if rule.extra else ""
    return f"{package} {versions} requires {required} {rule.id.partition('/')[2]}".rstrip()


def _pair(catalog: Catalog, step: Step) -> str:
    rule = step.entry.rule
    other, versions, *places = (rule.literals[1].component, *rule.id.split("/")[1:])
    where = f" on {listing(places[0].split(','))}" if places else ""
    return f"{_concerned(catalog, step, 0)} works with {other} {versions} only{where}: {catalog.reason(rule.id)}"


def _library(catalog: Catalog, step: Step) -> str:
    lacking = ""
    if any(literal.component == "cuda" for literal in step.entry.rule.literals):
        lacking = f" for CUDA {version_words(catalog.components['cuda'], step.turned_away('cuda'))}"
    platforms = versions_of(catalog.components["platform"], step.turned_away("platform"))
    built = ": it must be built from source" if step.entry.rule.avoid else ""
    return f"the wheel of {_concerned(catalog, step, 0)} has no native library{lacking} on {listing(platforms)}{built}"


def _code(catalog: Catalog, step: Step) -> str:
    cuda = version_words(catalog.components["cuda"], step.turned_away("cuda"))
    gpu = version_words(catalog.components["gpu"], step.turned_away("gpu"))
    return f"{_concerned(catalog, step, 0)} has no code for compute capability {gpu} in its library for CUDA {cuda}"


def _prebuilt(catalog: Catalog, step: Step) -> str:
    rule = step.entry.rule
    axis = catalog.components[rule.literals[1].component].title
    values = listing(rule.id.partition("/")[2].split(","))
    return (
        f"{_concerned(catalog, step, 0)} has prebuilt wheels for {axis} {values} only: elsewhere it must be built from"
        " source"
    )


def _glibc(catalog: Catalog, step: Step) -> str:
    words = interval_words(catalog.components["glibc"], step.entry.rule.literals[1].allowed)
    return f"wheels of {_concerned(catalog, step, -1)} need glibc {words}"


def _wheels(catalog: Catalog, step: Step) -> str:
    rule = step.entry.rule
    package = rule.literals[-1].component
    component = catalog.components[package]
    axes = [literal.component for literal in rule.literals[:-1]]
    places = versions_of(catalog.components["platform"], step.turned_away("platform")) if "platform" in axes else []
    if "python" in axes:
        places.append(f"Python {listing(versions_of(catalog.components['python'], step.turned_away('python')))}")
    having = version_words(component, rule.literals[-1].allowed)
    return f"{package} wheels for {listing(places)} exist for {having}"
