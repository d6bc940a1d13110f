"""From written requirements to sets of candidates, and whether something nobody has listed might match as well."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.errors import InvalidRequirement
from compatsolver.model.component import NONE, UNKNOWN, Candidate, Component
from compatsolver.model.rule import Unknown
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Requirement

_TAG = re.compile(r"cu(\d{2})(\d)")
_BARE = re.compile(r"\d+(\.\d+)*")


@dataclass(frozen=True)
class Selection:
    """Candidates a requirement allows; `unlisted` says what is not known where only unlisted versions could match."""

    allowed: int
    unlisted: Unknown | None = None


def select(catalog: Catalog, requirement: Requirement) -> Selection:
    """The candidates of a package that satisfy a requirement."""
    component = catalog.components[requirement.name]
    specifier = _specifier(requirement.specifier, requirement.text)
    allowed = _matching(component, specifier)
    if allowed or not _might_match_unlisted(catalog, component, specifier):
        return Selection(allowed)
    newest, oldest = component.candidates[0], _oldest(component)
    unlisted = Unknown(
        fact=f"releases matching {requirement.text}",
        why=f"the catalogue of {catalog.horizon} knows {component.name} {oldest.version} to {newest.version}",
        how=f"pip index versions {component.name}, then a catalogue that is newer than the release",
    )
    return Selection(0, unlisted)


def select_cuda(catalog: Catalog, text: str) -> Selection:
    """The runtimes that `--cuda` allows: `12.6`, `cu126`, a PEP 440 specifier, or `none` for a CPU build."""
    component = catalog.components["cuda"]
    if text in (NONE, "cpu"):
        return Selection(_where_version(component, NONE))
    specifier = _specifier(_cuda_specifier(text), text)
    allowed = _matching(component, specifier)
    newest = component.candidates[0].version
    if allowed or not any(beyond in specifier for beyond in _beyond(newest)):
        return Selection(allowed)
    unlisted = Unknown(
        fact=f"torch builds for CUDA {text}",
        why=f"the catalogue of {catalog.horizon} knows CUDA up to {newest}",
        how="use a newer catalogue",
    )
    return Selection(0, unlisted)


def _cuda_specifier(text: str) -> str:
    tag = _TAG.fullmatch(text)
    if tag:
        return f"=={tag[1]}.{tag[2]}"
    if _BARE.fullmatch(text):
        fields = text.split(".")
        return f"=={fields[0]}.{fields[1]}" if len(fields) > 1 else f"=={text}.*"
    return text


def _specifier(text: str, typed: str) -> SpecifierSet:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        raise InvalidRequirement(
            f"{typed!r} is not a version specifier", hint="write it as PEP 440 has it, e.g. ==2.9.1 or >=2.6,<2.10"
        ) from None


def _matching(component: Component, specifier: SpecifierSet) -> int:
    verdicts: dict[str, bool] = {}
    allowed = 0
    builds_matter = "+" in str(specifier)
    for position, candidate in enumerate(component.candidates):
        text = candidate.spelling if builds_matter else candidate.version
        if text not in verdicts:
            verdicts[text] = _is_version(candidate) and specifier.contains(text, prereleases=True)
        if verdicts[text]:
            allowed |= 1 << position
    return allowed


def _might_match_unlisted(catalog: Catalog, component: Component, specifier: SpecifierSet) -> bool:
    newest, oldest = component.candidates[0].version, _oldest(component).version
    named = [entry.version for entry in specifier if entry.operator in ("==", "===", "~=", ">=", ">")]
    for text in (text.removesuffix(".*") for text in named):
        try:
            version = package_version(text)
        except ValueError:
            return True
        if version.public in catalog.incomplete_torch() and component.name == "torch":
            return True
        if not package_version(oldest) <= package_version(version.public) <= package_version(newest):
            return True
    return any(beyond in specifier for beyond in _beyond(newest)) or "0" in specifier


def _beyond(newest: str) -> list[str]:
    """Versions that a release after the newest known one would have."""
    major, minor, *_ = (*package_version(newest).release, 0)
    return [f"{major}.{minor}.999", f"{major}.{minor + 1}", f"{major + 1}.0"]


def _oldest(component: Component) -> Candidate:
    return [candidate for candidate in component.candidates if _is_version(candidate)][-1]


def _is_version(candidate: Candidate) -> bool:
    return candidate.version not in (NONE, UNKNOWN)


def _where_version(component: Component, version: str) -> int:
    return sum(1 << i for i, candidate in enumerate(component.candidates) if candidate.version == version)
