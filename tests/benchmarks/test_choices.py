"""The comparison with the peers: what an answer is worth, and that the page says what was kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from choices.__main__ import DOCUMENT, RESULTS
from choices.answers import DEFAULT, Answer
from choices.document import rendered
from choices.grading import (
    CPU,
    FAILS,
    NEWEST,
    NONE,
    RUNS,
    UNKNOWN,
    UNPUBLISHED,
    Graded,
    best_of,
    grade,
)
from choices.grid import Gpu, Target, targets
from choices.peers import PEERS
from choices.results import read, write
from compatsolver.authoring.load import load_tables
from oracle import Oracle

MATRICES = Path(__file__).parents[2] / "data" / "matrices"


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle(load_tables(MATRICES))


def target(capability: str, driver: str, platform: str = "linux-x86_64", python: str = "3.12") -> Target:
    return Target(Gpu("a GPU", capability, "0000"), driver, platform, python)


def pinned(version: str, index: str) -> Answer:
    return Answer((index,), version)


# By hand from NVIDIA's and PyTorch's tables; the first ones are answers that peers were seen to give.
@pytest.mark.parametrize(
    ("machine", "answer", "expected"),
    [
        (target("6.1", "580.95.05"), Answer(("cu132", "cu130", "cu126", "cpu")), FAILS),  # uv: wheels from sm_75 on
        (target("7.5", "580.95.05"), Answer(("cu132", "cu130", "cu126", "cpu")), NEWEST),
        (target("12.0", "570.124.06"), pinned("2.9.1", "cu124"), UNPUBLISHED),  # torchruntime: it ends at 2.6.0
        (target("7.0", "580.95.05"), Answer(("cu124",)), RUNS),  # torchruntime: cu126 serves it later
        (target("12.0", "450.80.02"), Answer(("cu128",)), FAILS),  # torchruntime: the driver predates the GPU
        (target("7.0", "580.95.05"), pinned("2.9.1", "cu130"), FAILS),  # env-doctor: no Volta in CUDA 13
        (target("10.3", "580.95.05"), pinned("2.13.0", "cu126"), FAILS),  # rigsolve: nothing above sm_90 in it
        (target("7.0", "595.71.05"), pinned("2.13.0", "cu126"), FAILS),  # rigsolve: R580 is Volta's last branch
        (target("8.9", "535.183.01"), pinned("2.5.1", "cu121"), RUNS),  # env-doctor: cu126 runs there too
        (target("8.9", "525.147.05"), pinned("2.14.1", "cu126"), NEWEST),  # by minor-version compatibility
        (target("8.9", "470.256.02"), pinned("2.14.1", "cu126"), FAILS),  # CUDA 12 needs R525
        (target("8.9", "535.183.01", python="3.9"), pinned("2.9.1", "cu126"), UNPUBLISHED),
        (target("8.6", "580.95.05", python="3.9"), Answer(("cu132", "cu126")), NEWEST),  # the second has 2.8.0 for it
        (target("8.6", "452.39", "windows-x86_64"), Answer(("cu102", "cpu")), CPU),
        (target("8.6", "452.39", "windows-x86_64", "3.9"), Answer(("cu102", "cpu")), UNKNOWN),  # 1.12 and older
        (target("8.6", "528.33", "windows-x86_64"), Answer((DEFAULT,)), CPU),  # the default of Windows
        (target("8.6", "580.95.05"), Answer((DEFAULT,)), NEWEST),
        (target("8.6", "580.88", "windows-x86_64"), Answer(("cu132",)), NEWEST),  # 2.15.0, or 2.14.1 if it is not there
        (target("8.6", "580.95.05"), Answer(), NONE),
    ],
)
def test_what_an_answer_is_worth(oracle: Oracle, machine: Target, answer: Answer, expected: str) -> None:
    assert grade(oracle, machine, answer, best_of(oracle, machine)).grade == expected


def test_a_grade_says_whether_the_code_was_measured(oracle: Oracle) -> None:
    machine = target("8.0", "580.95.05")
    of_default, of_old = (
        grade(oracle, machine, answer, best_of(oracle, machine))
        for answer in (pinned("2.15.0", "cu132"), pinned("2.9.1", "cu130"))
    )
    assert (of_default.measured, of_old.measured) == (True, False)
    assert [Graded.read(str(graded)) for graded in (of_default, of_old)] == [of_default, of_old]


def test_the_grid_is_wide_and_has_no_target_twice() -> None:
    grid = targets()
    assert len(grid) == len(set(grid)) >= 500


def test_the_page_is_what_the_kept_results_render_to() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    assert page == rendered(page, read(RESULTS))


def test_kept_results_are_those_of_the_grid_and_read_back(tmp_path: Path) -> None:
    results = read(RESULTS)
    kept = [(row.gpu, row.driver, row.platform, row.python) for row in results.rows]
    assert kept == [(entry.gpu.name, entry.driver, entry.platform, entry.python) for entry in targets()]
    write(tmp_path / "results.json", results)
    assert (tmp_path / "results.json").read_bytes() == RESULTS.read_bytes()


def test_every_peer_has_a_script() -> None:
    assert all(peer.script.is_file() for peer in PEERS)
