"""Over the whole catalogue: no plan holds a build that is not published, not served or too new for the driver.

Each answer is compared with what the YAML tables say, read by `oracle` without rules, search or compiled catalogue. The
targets are a sample of platform × Python × GPUs × driver × glibc: every capability meets every threshold of the drivers
under the Python that most releases have wheels for, the rest is drawn from a seeded generator.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.load import load_tables
from compatsolver.model.component import NONE
from compatsolver.model.host import Gpu, Host
from compatsolver.model.version import NumericVersion, PythonVersion
from compatsolver.solver.certify import Impossible, Solved, Undecided, solve
from compatsolver.solver.formulate import formulate
from compatsolver.solver.policy import newest
from compatsolver.solver.problem import Problem
from oracle import NO, UNKNOWN, YES, Machine, Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog

MATRICES = Path(__file__).parents[2] / "data" / "matrices"
GPU_PLATFORMS = ("linux-x86_64", "linux-aarch64", "windows-x86_64", "wsl-x86_64")
DRAWN = 2500
VERDICTS = {YES: Solved, UNKNOWN: Undecided, NO: Impossible}


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle(load_tables(MATRICES))


def machines_with_a_gpu(oracle: Oracle) -> Iterator[Machine]:
    random = Random(20261130)
    pythons = sorted({python for row in oracle.rows.values() for python in row.pythons or ()})
    glibcs = [*sorted({row.glibc for row in oracle.rows.values() if row.glibc}), "2.35"]
    drivers = [None, *oracle.thresholds]
    capabilities = list(oracle.capabilities)
    for capability, driver in product(capabilities, drivers):
        platform = random.choice(GPU_PLATFORMS)
        yield Machine(platform, "3.10", random.choice(glibcs), driver, (capability,))
    for _ in range(DRAWN):
        gpus = tuple(random.sample(capabilities, random.choice((1, 2, 2))))
        driver = random.choice((None, *random.sample(drivers, 3)))
        yield Machine(random.choice(GPU_PLATFORMS), random.choice(pythons), random.choice(glibcs), driver, gpus)


def machines_without(oracle: Oracle) -> Iterator[Machine]:
    pythons = sorted({python for row in oracle.rows.values() for python in row.pythons or ()})
    for platform, python, glibc in product((*GPU_PLATFORMS, "macos-arm64", "macos-x86_64"), pythons, ("2.17", "2.35")):
        yield Machine(platform, python, glibc, None, ())


def decide(catalog: Catalog, machine: Machine) -> Solved | Undecided | Impossible:
    host = Host(
        platform=machine.platform,
        python=PythonVersion.parse(machine.python),
        glibc=NumericVersion.parse(machine.glibc) if machine.wheels.startswith("linux") else None,
        driver=NumericVersion.parse(machine.driver) if machine.driver else None,
        gpus=tuple(Gpu(capability, capability) for capability in machine.gpus),
    )
    problem = formulate(catalog, host, (), None)
    assert isinstance(problem, Problem)
    return solve(problem, ranking=newest(catalog, host, problem.layout))


def disagreement(catalog: Catalog, oracle: Oracle, machine: Machine) -> str | None:
    """What is wrong with the answer for a machine, by the tables; None where nothing is."""
    verdict = decide(catalog, machine)
    answer, version = oracle.newest(machine)
    if type(verdict) is not VERDICTS[answer]:
        return f"{type(verdict).__name__}, but by the tables {answer} {version}"
    if not isinstance(verdict, Solved):
        return None
    candidate = catalog.components["torch"].candidates[verdict.assignment["torch"]]
    row = oracle.rows[candidate.version, candidate.build or "", candidate.platform or ""]
    if oracle.runs_on(row, machine) != YES:
        return f"{candidate} does not run there by the tables ({oracle.runs_on(row, machine)}): {row}"
    if candidate.version != version:
        return f"{candidate} is not the newest release: {version} runs there as well"
    return None


def test_answers_for_gpus_are_those_of_the_tables(catalog: Catalog, oracle: Oracle) -> None:
    machines = dict.fromkeys(machines_with_a_gpu(oracle))
    wrong = [f"{m}: {found}" for m in machines if (found := disagreement(catalog, oracle, m))]
    assert wrong[:5] == [], f"{len(wrong)} of {len(machines)}"


def test_answers_without_a_gpu_are_those_of_the_tables(catalog: Catalog, oracle: Oracle) -> None:
    wrong = [f"{m}: {found}" for m in machines_without(oracle) if (found := disagreement(catalog, oracle, m))]
    assert wrong == []


def test_no_build_that_is_known_not_to_exist_is_a_candidate(catalog: Catalog, oracle: Oracle) -> None:
    for candidate in catalog.components["torch"].candidates:
        row = oracle.rows[candidate.version, candidate.build or "", candidate.platform or ""]
        assert row.published != NO


def test_the_catalogue_holds_every_capability_of_the_tables(catalog: Catalog, oracle: Oracle) -> None:
    held = {candidate.version for candidate in catalog.components["gpu"].candidates} - {NONE}
    assert held == set(oracle.capabilities)
