"""Rules between the packages: what a release declares to require, and what it works with beyond that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.rules.wheels import elsewhere
from compatsolver.model.component import NONE
from compatsolver.model.rule import Kind, Literal, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.schema import LibraryRelease, WorksWithRow
    from compatsolver.authoring.universe import Universe

PAIRED_WITH_TORCH = ("torchvision", "torchaudio")


def library_rules(universe: Universe, references: References) -> Iterator[Rule]:
    """Rules from `requires`, whose components come into the plan, and from `works_with`, which brings none."""
    for package in universe.releases:
        yield from _requirements(package, universe)
        yield from _works_with(package, universe, references)


def pair_id(package: str, row: WorksWithRow) -> str:
    """The id of the rule that a row of `works_with` becomes, together with the same row of other releases."""
    place = f"/{','.join(row.platforms)}" if row.platforms else ""
    return f"{package}-works-with-{row.component}/{row.versions}{place}"


def _requirements(package: str, universe: Universe) -> Iterator[Rule]:
    declared = {(None, *pair) for row in universe.releases[package] for pair in row.requires.items()}
    added = {
        (extra, *pair)
        for row in universe.releases[package]
        for extra, requires in row.extras.items()
        for pair in requires.items()
    }
    for extra, required, text in [*sorted(declared), *sorted(added)]:
        requiring = universe.releases_where(
            package,
            lambda row, extra=extra, pair=(required, text): pair in _requires(row, extra).items(),  # type: ignore[misc]
        )
        yield Rule(
            id=f"{package}{f'[{extra}]' if extra else ''}-requires-{required}/{text}",
            kind=Kind.TORCH_PAIR if package in PAIRED_WITH_TORCH and required == "torch" else Kind.PKG_PIN,
            literals=(
                Literal(package, universe.everything(package) & ~requiring),
                Literal(required, _matching(universe, required, text)),
            ),
            evidence="metadata",
            field="requires",
            extra=extra,
        )


def _requires(row: LibraryRelease, extra: str | None) -> dict[str, str]:
    return row.requires if extra is None else row.extras.get(extra, {})


def _works_with(package: str, universe: Universe, references: References) -> Iterator[Rule]:
    pairs: dict[str, tuple[WorksWithRow, int, list[str]]] = {}
    for position, release in enumerate(universe.releases[package]):
        for row in release.works_with:
            newest, releases, sources = pairs.get(pair_id(package, row), (row, 0, []))
            pairs[pair_id(package, row)] = (newest, releases | 1 << position, [*sources, *row.sources])
    for identifier, (row, releases, sources) in pairs.items():
        yield Rule(
            id=identifier,
            kind=Kind(row.kind),
            literals=(
                Literal(package, universe.everything(package) & ~releases),
                Literal(row.component, _matching(universe, row.component, row.versions) | _absent(universe, row)),
                *((elsewhere(universe, row.platforms),) if row.platforms else ()),
            ),
            evidence=row.evidence,
            sources=references.positions(sources),
            field="works_with",
            avoid=row.severity == "warning",
        )


def _absent(universe: Universe, row: WorksWithRow) -> int:
    """The component is not in use, which a row does not mind; without CUDA, what is linked with it is not loaded."""
    return 0 if row.component == "cuda" else universe.only(row.component, NONE)


def _matching(universe: Universe, component: str, text: str) -> int:
    specifier = SpecifierSet(text)
    return universe.where(
        component, lambda candidate: candidate.version != NONE and specifier.contains(candidate.version, True)
    )
