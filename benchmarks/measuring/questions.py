"""A thousand and more mixed questions, drawn from a seeded generator, and the problems they state."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.catalog.hosts import understand
from compatsolver.model.request import Target
from compatsolver.requirements.written import read_requirement
from compatsolver.solver.certify import solve
from compatsolver.solver.formulate import formulate
from compatsolver.solver.policy import newest
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Requirement
    from compatsolver.solver.certify import Impossible, Solved, Undecided
    from compatsolver.solver.search import Ranking

SEED = 20261130
DESCRIPTION = f"GPUs × drivers × Pythons × platforms × pins, drawn with seed {SEED}"

_GPUS = (
    *("GTX 1060", "GTX 1080 Ti", "P100", "V100", "Titan V", "RTX 2080 Ti", "T4", "GTX 1650", "A100", "A10", "A40"),
    *("RTX 3060", "RTX 3090", "RTX A6000", "L4", "L40S", "RTX 4060", "RTX 4090", "H100", "H200", "B200", "RTX 5070"),
    *("RTX 5090", "RTX PRO 6000 Blackwell Server Edition", "none"),
)
_DRIVERS = ("470.256.02", "525.147.05", "535.98", "545.29.06", "550.54.15", "560.35.03", "565.57.01", "570.86.10")
_NEW_DRIVERS = ("575.64.05", "580.95.05", "590.44.01", "595.71")
_PYTHONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
_PLATFORMS = ("linux-x86_64", "linux-x86_64", "linux-x86_64", "linux-aarch64", "windows-x86_64")
_GLIBCS = ("2.17", "2.28", "2.31", "2.35", "2.39")
_STACKS = (
    (),
    ("torchvision",),
    ("torchvision", "torchaudio"),
    ("transformers",),
    ("transformers", "peft", "accelerate", "datasets"),
    ("transformers", "peft", "accelerate", "datasets", "bitsandbytes"),
)
_PINS = ("torch==", "torch>=", "torch<=", "torch<")


class Question(NamedTuple):
    """A problem as the solver takes it, the order in which candidates are tried, and what it was stated from."""

    problem: Problem
    ranking: Ranking
    host: Host
    requirements: tuple[Requirement, ...]

    def solve(self) -> Solved | Undecided | Impossible:
        """Decide it as `compatsolver.plan` does under policy `newest`."""
        return solve(self.problem, first=self.problem.layout.packages, ranking=self.ranking)


def mixed_questions(catalog: Catalog, count: int) -> list[Question]:
    """The first `count` questions that the catalogue understands."""
    random = Random(SEED)
    found: list[Question] = []
    while len(found) < count:
        question = _stated(catalog, *_drawn(catalog, random))
        if question:
            found.append(question)
    return found


def _drawn(catalog: Catalog, random: Random) -> tuple[Target, tuple[str, ...]]:
    platform = random.choice(_PLATFORMS)
    gpus = random.choices(_GPUS, k=random.choice((1, 1, 1, 2)))
    target = Target(
        gpus=() if "none" in gpus else tuple(dict.fromkeys(gpus)),
        driver=random.choice((*_DRIVERS, *_NEW_DRIVERS)),
        python=random.choice(_PYTHONS),
        platform=platform,
        glibc=random.choice(_GLIBCS) if platform.startswith("linux") else None,
    )
    releases = list(dict.fromkeys(candidate.version for candidate in catalog.components["torch"].candidates))
    pins = (random.choice(_PINS) + random.choice(releases),) if random.random() < 0.5 else ()
    return target, (*pins, *random.choice(_STACKS))


def _stated(catalog: Catalog, target: Target, texts: tuple[str, ...]) -> Question | None:
    host = understand(catalog, target)
    requirements = tuple(entry for text in texts if (entry := read_requirement(text, target)))
    problem = formulate(catalog, host, requirements, None)
    if not isinstance(problem, Problem):
        return None
    return Question(problem, newest(catalog, host, problem.layout), host, requirements)
