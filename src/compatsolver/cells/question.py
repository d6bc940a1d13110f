"""What a matrix is asked over, read from the axes as a caller gives them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from compatsolver.errors import InputError
from compatsolver.model.cell import COVERS
from compatsolver.observation.live import here
from compatsolver.requirements.project import supported_pythons

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.request import Listing, Target


class Axes(TypedDict, total=False):
    """What a matrix is asked over: several values an axis, and the sources of requirements that a plan has.

    `gpu`: machines, several GPUs of one joined by `+`. `python`: by default those that the project supports, else this
    interpreter's; `platform`: by default this one's. `vary` names the packages whose ranges are axes (by default each
    that has one). `cover` is `latest`, `ends`, `pairwise` or `all`, `max_cells` the greatest number of cells; with
    `explain_excluded` each combination that does not hold comes with its reason.
    """

    gpu: Sequence[str]
    driver: Sequence[str]
    python: Sequence[str]
    platform: Sequence[str]
    cuda: Sequence[str]
    glibc: str | None
    files: Sequence[str | Path]
    constraints: Sequence[str | Path]
    project: str | Path | None
    extras: Sequence[str]
    profile: str | None
    vary: Sequence[str] | None
    cover: str
    max_cells: int | None
    explain_excluded: bool
    catalog: str | Path | None
    overlay: Sequence[str | Path]


class Question(NamedTuple):
    """Axes and what to choose among their combinations. An axis without values is not given; two always are.

    `listing` reads the requirements for a target. `vary` names the packages whose ranges are axes, None for each that
    has a range. `most` is the greatest number of cells.
    """

    listing: Callable[[Target], Listing]
    pythons: tuple[str, ...]
    platforms: tuple[str, ...]
    gpus: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    cudas: tuple[str, ...] = ()
    glibc: str | None = None
    vary: tuple[str, ...] | None = None
    cover: str = COVERS[0]
    most: int | None = None
    reasons: bool = False
    notes: tuple[str, ...] = ()

    def words(self, requirements: Sequence[str]) -> dict[str, Any]:
        """What was asked, as the matrix keeps it: what a catalogue can change is not in it."""
        return {
            "requirements": list(requirements),
            "platform": list(self.platforms),
            "gpu": list(self.gpus),
            "driver": list(self.drivers),
            "python": list(self.pythons),
            "cuda": list(self.cudas),
            "glibc": self.glibc,
            "vary": None if self.vary is None else list(self.vary),
            "cover": self.cover,
            "max_cells": self.most,
        }


def read_question(catalog: Catalog, axes: Mapping[str, Any], listing: Callable[[Target], Listing]) -> Question:
    """The question that keyword arguments ask; raises InputError where a value is no list of texts, or unknown."""
    cover, most = axes.get("cover", COVERS[0]), axes.get("max_cells")
    if cover not in COVERS:
        raise InputError(f"the cover {cover!r} is unknown", hint="use " + " or ".join(COVERS))
    if most is not None and most < 1:
        raise InputError(f"at most {most} cells is none", hint="ask for one or more")
    pythons, platforms = _texts(axes, "python"), _texts(axes, "platform")
    assumed = []
    if not pythons:
        pythons = _supported(catalog, axes.get("project"))
        assumed += [] if axes.get("project") else [f"Python {pythons[0]}"]
    if not platforms:
        platforms = (here.platform(),)
        assumed.append(f"platform {platforms[0]}")
    vary = axes.get("vary")
    return Question(
        listing=listing,
        pythons=pythons,
        platforms=platforms,
        gpus=_texts(axes, "gpu"),
        drivers=_texts(axes, "driver"),
        cudas=_texts(axes, "cuda"),
        glibc=axes.get("glibc"),
        vary=None if vary is None else tuple(vary),
        cover=cover,
        most=most,
        reasons=bool(axes.get("explain_excluded")),
        notes=(f"not given, this interpreter's: {', '.join(assumed)}",) if assumed else (),
    )


def _supported(catalog: Catalog, project: str | Path | None) -> tuple[str, ...]:
    """The Pythons a project supports, free-threaded ones aside; without a project, this interpreter's."""
    if project is None:
        return tuple(filter(None, (here.python(),)))
    known = [candidate.version for candidate in catalog.components["python"].candidates]
    found = supported_pythons(Path(project), [version for version in known if not version.endswith("t")])
    if not found:
        raise InputError(f"{project} supports no Python that the catalogue knows", hint="name some with --python")
    return found


def _texts(axes: Mapping[str, Any], axis: str) -> tuple[str, ...]:
    values = axes.get(axis) or ()
    if isinstance(values, str) or not all(isinstance(value, str) and value.strip() for value in values):
        raise InputError(f"{axis} is {values!r}, which is no list of texts", hint=f'write it as {axis}=["…", "…"]')
    return tuple(dict.fromkeys(value.strip() for value in values))
