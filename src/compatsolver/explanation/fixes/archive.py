"""torch releases from before the tables: which CUDA builds each line had, so that a fix can keep the release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.fix import Fix
from compatsolver.model.version import NumericVersion, package_version
from compatsolver.solver.formulate import position_of
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack

FLAT_INDEX = "https://download.pytorch.org/whl/torch_stable.html"


def archived(catalog: Catalog, release: str | None) -> Mapping[str, Any] | None:
    """The archive's row of a release; None where it holds none."""
    for row in catalog.diagnosis.get("archive", ()):
        if release in row["versions"]:
            return dict(row)
    return None


def archived_builds(catalog: Catalog, stack: Stack, problem: Problem, kept: Sequence[Assumption]) -> Iterator[Fix]:
    """Builds of the same release whose CUDA holds with everything that is kept, newest first."""
    row = archived(catalog, stack.torch)
    if row is None:
        return
    conda = "cudatoolkit" in stack.packages
    listed = row.get("conda", []) if conda else row["cuda"]
    for cuda in sorted(listed, key=NumericVersion.parse, reverse=True):
        allowed = position_of(catalog.components["cuda"], cuda)
        trial = Assumption("cuda", allowed, cuda, "cuda")
        if (
            cuda != stack.cuda
            and allowed
            and search(problem.layout.certain, problem.domains([*kept, trial])) is not None
        ):
            yield _conda(stack, cuda) if conda else _wheel(stack, cuda, row.get("default_cuda"))


def _wheel(stack: Stack, cuda: str, default: str | None) -> Fix:
    local = f"+cu{cuda.replace('.', '')}"
    spelled = f"{stack.torch}{'' if cuda == default else local}"
    return Fix(
        change="torch",
        to=f"{stack.torch}{local}",
        cuda=cuda,
        action=f"Install the CUDA {cuda} build of the same torch release, {stack.torch}{local}.",
        command=f"pip install 'torch=={spelled}' {_index(stack.torch or '', local[1:])}",
        verified=True,
    )


def _index(release: str, tag: str) -> str:
    """Where PyTorch's page of earlier versions finds a build: a page of links, an index for each tag from 1.11 on."""
    if package_version(release) < package_version("1.11"):
        return f"-f {FLAT_INDEX}"
    return f"--extra-index-url https://download.pytorch.org/whl/{tag}"


def _conda(stack: Stack, cuda: str) -> Fix:
    return Fix(
        change="cudatoolkit",
        to=cuda,
        cuda=cuda,
        action=f"Keep torch {stack.torch} and take cudatoolkit {cuda} beside it.",
        command=f"conda install pytorch={stack.torch} cudatoolkit={cuda} -c pytorch",
        verified=True,
    )
