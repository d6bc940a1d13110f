"""From written requirements to sets of candidates, and whether something nobody has listed might match as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.errors import InvalidRequirement
from compatsolver.model.component import NONE, Candidate, Component
from compatsolver.model.request import Selection
from compatsolver.model.rule import Unknown
from compatsolver.model.version import package_version
from compatsolver.solver.precision import cuda_by_minor, cudnn_by_release

if TYPE_CHECKING:
    from packaging.version import Version

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Requirement

_TAG = re.compile(r"cu(\d{2})(\d)")
_BARE = re.compile(r"\d+(\.\d+)*")
_PRECISION = {"cuda": cuda_by_minor, "cudnn": cudnn_by_release}
_TORCH_BUILD = re.compile(r"cpu|cu\d{3}")
_LIVE_LINES = 2
"""The newest lines of a package, which still get patches."""


def select_versions(catalog: Catalog, requirement: Requirement) -> Selection:
    """The candidates of a package that satisfy a requirement with a specifier."""
    component = catalog.components[requirement.name]
    specifier = _specifier(requirement.specifier, requirement.text)
    if requirement.name in _PRECISION:
        specifier = _PRECISION[requirement.name](specifier)
    if requirement.name != "torch":
        tags, specifier = _split_local(specifier)
        if tags:
            return _companion(catalog, requirement, specifier, tags)
    allowed = _matching(component, specifier)
    if allowed or not _might_match_unlisted(catalog, component, specifier):
        return Selection(allowed)
    return Selection(0, _unlisted(catalog, requirement))


def _split_local(specifier: SpecifierSet) -> tuple[frozenset[str], SpecifierSet]:
    """The local versions asked for by `==`, and the specifier without them."""
    pinned = [entry for entry in specifier if entry.operator == "==" and "+" in entry.version]
    public = [f"=={entry.version.partition('+')[0]}" for entry in pinned]
    rest = [str(entry) for entry in specifier if entry not in pinned]
    tags = frozenset(entry.version.partition("+")[2].lower() for entry in pinned)
    return tags, SpecifierSet(",".join([*rest, *public]))


def _companion(catalog: Catalog, requirement: Requirement, specifier: SpecifierSet, tags: frozenset[str]) -> Selection:
    """Libraries are built along with torch, and their local version names the same build."""
    torch = catalog.components["torch"].candidates
    if not tags <= {candidate.build for candidate in torch}:
        return Selection(0, _unlisted(catalog, requirement))
    builds = sum(1 << place for place, candidate in enumerate(torch) if {candidate.build} == tags)
    component = catalog.components[requirement.name]
    allowed = _matching(component, specifier)
    beyond = not allowed and _might_match_unlisted(catalog, component, specifier)
    return Selection(allowed, _unlisted(catalog, requirement) if beyond else None, builds)


def _unlisted(catalog: Catalog, requirement: Requirement) -> Unknown:
    component = catalog.components[requirement.name]
    newest, oldest = component.candidates[0].version, _oldest(component).version
    return Unknown(
        fact=f"releases matching {requirement.text}",
        why=f"the catalogue of {catalog.horizon} knows {component.name} {oldest} to {newest},"
        " final releases for CPU and CUDA",
        how=f"pip index versions {component.name}, then a catalogue that covers the release (--catalog)",
    )


def select_cuda(catalog: Catalog, text: str) -> Selection:
    """The runtimes that `--cuda` allows: `12.6`, `cu126`, a PEP 440 specifier, or `none` for a CPU build."""
    component = catalog.components["cuda"]
    if text in (NONE, "cpu"):
        return Selection(_where_version(component, NONE))
    specifier = cuda_by_minor(_specifier(_cuda_specifier(text), text))
    allowed = _matching(component, specifier)
    beyond = _lies_past_the_builds(catalog, component, allowed)
    if not beyond and (allowed or not _might_match_unlisted(catalog, component, specifier)):
        return Selection(allowed)
    newest, oldest = component.candidates[0].version, _oldest(component).version
    why = f"it knows CUDA {oldest} to {newest}"
    if beyond:
        why = f"{', '.join(sorted(catalog.incomplete_torch()))} may have builds that nobody has listed yet"
    unlisted = Unknown(
        fact=f"torch builds for CUDA {text}",
        why=f"the catalogue of {catalog.horizon} has none: {why}",
        how="use a catalogue that covers it (--catalog)",
    )
    return Selection(0, unlisted)


def _lies_past_the_builds(catalog: Catalog, cuda: Component, allowed: int) -> bool:
    """Whether only runtimes newer than any listed build's are allowed while a release may have unlisted builds."""
    built = {".".join(build.cuda.split(".")[:2]) for build in catalog.builds if build.cuda}
    newest_built = next(place for place, candidate in enumerate(cuda.candidates) if candidate.version in built)
    return bool(allowed) and not allowed >> newest_built and bool(catalog.incomplete_torch())


def _cuda_specifier(text: str) -> str:
    tag = _TAG.fullmatch(text)
    if tag:
        return f"=={tag[1]}.{tag[2]}"
    if _BARE.fullmatch(text):
        return f"=={text}" if "." in text else f"=={text}.*"
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
            verdicts[text] = candidate.is_version and specifier.contains(text, prereleases=True)
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
        if version.is_prerelease or (version.local and not _TORCH_BUILD.fullmatch(version.local)):
            return True
        if component.name == "torch" and version.public in catalog.incomplete_torch():
            return f"{version}" not in catalog.payload["absent"]
        if not package_version(oldest) <= package_version(version.public) <= package_version(newest):
            return True
        if _continues_a_line(component, package_version(version.public)):
            return True
    return any(beyond in specifier for beyond in _beyond(newest)) or "0" in specifier


def _continues_a_line(component: Component, version: Version) -> bool:
    """Whether a version would be the next patch of one of the newest lines, of which more may come at any time."""
    listed = [package_version(candidate.version) for candidate in component.candidates if candidate.is_version]
    lines = sorted({each.release[:2] for each in listed}, reverse=True)[:_LIVE_LINES]
    line = version.release[:2]
    return line in lines and version > max(each for each in listed if each.release[:2] == line)


def _beyond(newest: str) -> list[str]:
    """Versions that a release after the newest known one would have."""
    major, minor, *_ = (*package_version(newest).release, 0)
    return [f"{major}.{minor}.999", f"{major}.{minor + 1}", f"{major + 1}.0"]


def _oldest(component: Component) -> Candidate:
    return [candidate for candidate in component.candidates if candidate.is_version][-1]


def _where_version(component: Component, version: str) -> int:
    return sum(1 << i for i, candidate in enumerate(component.candidates) if candidate.version == version)
