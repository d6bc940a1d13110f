"""Reading a directory of tables: what comes out, and what is said about every fault in it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from compatsolver.authoring.load import load_tables
from compatsolver.authoring.tablefiles import FILES, OptionalFile
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _problems(matrices: Path) -> tuple[str, ...]:
    with pytest.raises(CatalogError) as caught:
        load_tables(matrices)
    return caught.value.problems


def test_everything_is_loaded(matrices: Path) -> None:
    tables = load_tables(matrices)
    assert tables.horizon == date(2026, 11, 30)
    assert list(tables.sources) == ["guide", "wheels"]
    assert [row.compute_capability for row in tables.capabilities] == ["11.0", "10.1", "8.9", "7.0"]
    assert [row.cudnn.at_least for row in tables.cudnn] == ["9.11", "9.0"]
    assert [build.build for build in tables.torch[0].builds] == ["cu130", "cu128", "cpu"]
    assert {name: len(releases) for name, releases in tables.libraries.items()} == {
        "bitsandbytes": 2,
        "torchvision": 2,
        "triton": 1,
    }


def test_rows_know_their_place(matrices: Path) -> None:
    tables = load_tables(matrices)
    build = tables.torch[0].builds[1]
    assert tables.place(build) == "torch/2.9.yaml:26"
    assert tables.place(build.archs) == "torch/2.9.yaml:37"
    assert tables.place(tables.sources["wheels"]) == "sources.yaml:6"
    assert tables.place(tables.toolkits[1].driver) == "cuda.yaml:6"
    assert tables.place(tables.libraries["torchvision"][1]) == "libraries/torchvision.yaml:16"


def test_torch_lines_are_newest_first_by_number(matrices: Path) -> None:
    newer = (matrices / "torch/2.9.yaml").read_text(encoding="utf-8").replace('"2.9', '"2.10')
    (matrices / "torch/2.10.yaml").write_text(newer, encoding="utf-8")
    assert [release.version for release in load_tables(matrices).torch] == ["2.10.1", "2.10.0", "2.9.1", "2.9.0"]


def test_the_horizon_is_the_latest_of_all_files(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("cuda.yaml", "horizon: 2026-11-30", "horizon: 2026-12-24")
    assert load_tables(matrices).horizon == date(2026, 12, 24)


def test_all_problems_of_all_files_are_told_at_once(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("torch/2.9.yaml", 'published: "yes"', "published: yes")
    edit("torch/2.9.yaml", '["3.13", "3.12"]', "[3.13, 3.12]")
    edit("cuda.yaml", "branch: R580, ", "")
    edit("drivers.yaml", "branch: R575", "branch: R575, brunch: R575")
    edit("cudnn.yaml", "capabilities:", "capabilities: &all")
    problems = _problems(matrices)
    assert [problem.partition("; ")[0] for problem in problems] == [
        "cuda.yaml:5: toolkits.0.branch: the key is missing",
        "cudnn.yaml:4: anchors and aliases are not allowed",
        "drivers.yaml:6: branches.1.brunch: not a key of this row",
        "torch/2.9.yaml:14: releases.0.builds.0.published: "
        "should be 'yes', 'no', 'build-matrix', 'likely', 'expected' or 'unverified'",
        "torch/2.9.yaml:32: releases.0.builds.1.pythons.0: should be a text",
        "torch/2.9.yaml:32: releases.0.builds.1.pythons.1: should be a text",
    ]
    assert all("; " in problem for problem in problems)


def test_an_empty_file_and_one_without_a_table(matrices: Path) -> None:
    (matrices / "aliases.yaml").write_bytes(b"")
    (matrices / "cuda.yaml").write_bytes(b"- a\n- b\n")
    (matrices / "cudnn.yaml").write_bytes(b"schema: compatsolver.data/1\ntable: cudn\n")
    empty, listed, misspelt = _problems(matrices)
    assert empty.startswith("aliases.yaml:1: the file is empty; write `table:` and one of sources,")
    assert listed.startswith("cuda.yaml:1: `table` does not name a table")
    assert misspelt.startswith("cudnn.yaml:2: `table` does not name a table")


def test_bytes_that_are_no_text(matrices: Path) -> None:
    (matrices / "gpus.yaml").write_bytes("name: Größe\n".encode("latin-1"))
    assert _problems(matrices) == ("gpus.yaml:1: not UTF-8; save the file in that encoding",)


def test_a_table_in_the_wrong_place(matrices: Path) -> None:
    (matrices / "torch/2.9.yaml").rename(matrices / "torch/2.90.yaml")
    assert _problems(matrices) == ("torch/2.90.yaml:2: this table belongs in torch/2.9.yaml; move the file",)


def test_a_release_of_another_line(matrices: Path, edit: Callable[[str, str, str], None]) -> None:
    edit("torch/2.9.yaml", 'version: "2.9.1"', 'version: "2.90.1"')
    assert _problems(matrices) == ("torch/2.9.yaml:1: 2.90.1 is not of the line 2.9",)


def test_a_table_that_no_file_holds(matrices: Path) -> None:
    (matrices / "drivers.yaml").unlink()
    assert _problems(matrices) == ("drivers: no file holds this table; add one",)


def test_an_absent_directory(tmp_path: Path) -> None:
    needed = [kind for kind in FILES.values() if not issubclass(kind, OptionalFile)]
    assert len(_problems(tmp_path / "nowhere")) == len(needed)
