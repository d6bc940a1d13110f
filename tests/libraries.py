"""Universes of one or two libraries, small enough to see which candidates a rule allows."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from compatsolver.authoring.references import References
from compatsolver.authoring.schema import CapabilityRow, LibraryRelease, SourceRow, Tables
from compatsolver.authoring.universe import Universe
from compatsolver.model.component import NONE, Candidate, Component, Family

if TYPE_CHECKING:
    from compatsolver.model.rule import Rule

HOSTS = {
    "platform": (Family.PLATFORM, ("linux-x86_64", "windows-x86_64", "wsl-x86_64")),
    "python": (Family.PYTHON, ("3.13", "3.12", "3.11")),
    "glibc": (Family.GLIBC, ("2.28", "2.17", "0")),
    "gpu": (Family.CAPABILITY, ("12.0", "8.9", "8.7", "7.0", NONE)),
    "cuda": (Family.CUDA, ("13.0", "12.9", "12.8", "12.6", NONE)),
}
DAY = date(2026, 11, 30)


def release(version: str, **columns: Any) -> LibraryRelease:
    """A release with one wheel for everything unless said otherwise."""
    row: dict[str, Any] = {
        "version": version,
        "released": None,
        "yanked": False,
        "requires_python": None,
        "wheels": [{"platform": "any", "pythons": "any"}],
        "requires": {},
        "evidence": "metadata",
        "sources": ["page"],
    }
    return LibraryRelease.read(row | columns)


def universe_of(**libraries: list[LibraryRelease]) -> Universe:
    """A universe of `library=[releases]`, newest first."""
    components = {
        name: Component(name, name, "host", family, tuple(map(Candidate, versions)))
        for name, (family, versions) in HOSTS.items()
    }
    for name, rows in libraries.items():
        candidates = (*(Candidate(row.version) for row in rows), Candidate(NONE))
        components[name] = Component(name, name, "package", Family.PEP440, candidates)
    return Universe(components, (), {name: tuple(rows) for name, rows in libraries.items()})


def references() -> References:
    """The one source that all rows cite."""
    return References({"page": SourceRow(title="Page", url=None, retrieved=DAY)})


def capabilities() -> Tables:
    """Tables with the capabilities of the universe; 8.7 is an island."""
    rows = [
        CapabilityRow(
            compute_capability=number,
            architecture=number,
            first_toolkit=None,
            last_toolkit=None,
            first_branch=None,
            last_branch=None,
            island=number == "8.7",
            evidence="documented",
            sources=["page"],
        )
        for number in ("12.0", "8.9", "8.7", "7.0")
    ]
    return Tables(horizon=DAY, capabilities=rows)


def words(universe: Universe, rule: Rule) -> dict[str, list[str]]:
    """Component → the versions that the rule's literal on it allows."""
    return {
        literal.component: [
            candidate.version
            for place, candidate in enumerate(universe.components[literal.component].candidates)
            if literal.allowed >> place & 1
        ]
        for literal in rule.literals
    }
