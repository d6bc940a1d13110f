"""What a refresh proposes: additions and corrections, sound as an overlay, and nothing where nothing is new."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from answers import INDEX, Answers, Listed
from compatsolver.authoring import yamlfile
from compatsolver.authoring.lint import lint
from compatsolver.authoring.merging import merge
from compatsolver.authoring.pack import pack, read_tables
from compatsolver.authoring.refresh.index import propose_packages
from compatsolver.authoring.refresh.nvidia import propose_toolkits
from compatsolver.authoring.refresh.proposal import Proposal, proposal_text
from compatsolver.authoring.refresh.pytorch_index import propose_tag
from compatsolver.catalog.tables import unpack
from compatsolver.errors import IndexUnavailable, InputError, UnknownComponent
from compatsolver.index.connection import Reply
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from compatsolver.authoring.schema import Tables
    from compatsolver.index.client import Client

SINCE, DAY = date(2026, 1, 1), date(2026, 11, 30)
TRITON = Wheel(
    "triton",
    "3.6.0",
    "cp312-cp312-manylinux_2_27_x86_64",
    requires=(
        "torch>=2.9",
        "numpy; python_version < '3.13'",
        "numpy; extra == 'tests'",
        "torch<3; extra == 'tutorials'",
    ),
    extras=("tests", "tutorials"),
    requires_python=">=3.12",
)
OLD = Listed("triton-2.9.0-cp312-cp312-manylinux_2_27_x86_64.whl", b"", "2025-01-01")


def ask(client: Client, tables: Tables, *names: str) -> Proposal:
    return propose_packages(names, client, tables, SINCE, DAY, lambda what: None)


def listed(wheel: Wheel, day: str = "2026-05-01") -> Listed:
    return Listed(wheel.filename, wheel.data, day)


def accepted(proposal: Proposal, tables: Tables) -> Tables:
    """The tables with the proposal laid on; it passes all lints."""
    written = unpack(pack(tables))
    merged = read_tables(merge(written, "proposal.yaml", yamlfile.read(proposal_text(proposal, DAY).encode())))
    assert [str(problem) for problem in lint(merged) if problem.lint != "source-used"] == []
    return merged


def test_a_new_release_is_proposed_with_what_its_metadata_says(
    answers: Answers, client: Client, tables: Tables
) -> None:
    answers.page("triton", OLD, listed(TRITON))
    proposal = ask(client, tables, "triton")
    (row,) = proposal.libraries["triton"]
    assert row["version"] == "3.6.0"
    assert str(row["released"]) == "2026-05-01"
    assert row["requires"] == {"torch": ">=2.9"}
    assert row["extras"] == {"tutorials": {"torch": "<3"}}
    assert row["wheels"] == [{"platform": "linux-x86_64", "pythons": ["3.12"], "glibc": "2.27"}]
    assert proposal.sources["pypi-triton"]["url"] == f"{INDEX}triton/"
    assert accepted(proposal, tables).libraries["triton"][0].version == "3.6.0"


def test_nothing_new_is_an_empty_proposal(answers: Answers, client: Client, tables: Tables) -> None:
    answers.page("triton", OLD)
    assert ask(client, tables, "triton").is_empty


def test_a_second_run_reads_no_metadata_again(
    answers: Answers, new_client: Callable[[], Client], tables: Tables
) -> None:
    answers.page("triton", listed(TRITON))
    first = ask(new_client(), tables, "triton")
    answers.asked.clear()
    assert ask(new_client(), tables, "triton") == first
    assert answers.asked == []


def test_a_run_that_broke_off_goes_on_where_it_was(
    answers: Answers, new_client: Callable[[], Client], tables: Tables
) -> None:
    answers.page("triton", listed(TRITON))
    answers.replies[f"{INDEX}torchvision/"] = Reply(f"{INDEX}torchvision/", 429, {}, b"")
    with pytest.raises(IndexUnavailable, match="too many requests"):
        ask(new_client(), tables, "triton", "torchvision")
    answers.page("torchvision")
    answers.asked.clear()
    assert ask(new_client(), tables, "triton", "torchvision").libraries["triton"]
    assert answers.asked == [f"{INDEX}torchvision/"]


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        (403, "text/plain", b""),
        (429, "text/plain", b""),
        (200, "application/octet-stream", b"x"),
        (200, "application/vnd.pypi.simple.v1+json", b'{"files": ['),
    ],
)
def test_an_index_that_answers_otherwise_is_told(
    status: int, kind: str, body: bytes, answers: Answers, client: Client, tables: Tables
) -> None:
    answers.replies[f"{INDEX}triton/"] = Reply(f"{INDEX}triton/", status, {"content-type": kind}, body)
    with pytest.raises(IndexUnavailable):
        ask(client, tables, "triton")


def test_a_release_whose_wheel_is_damaged_is_left_out_and_said(
    answers: Answers, client: Client, tables: Tables
) -> None:
    other = TRITON._replace(version="3.6.1")
    answers.page("triton", Listed(TRITON.filename, TRITON.data[:100]), listed(other))
    proposal = ask(client, tables, "triton")
    assert [row["version"] for row in proposal.libraries["triton"]] == ["3.6.1"]
    assert any("triton 3.6.0 is left out" in remark for remark in proposal.remarks)


def test_a_release_yanked_since_is_a_correction(answers: Answers, client: Client, tables: Tables) -> None:
    known = tables.libraries["triton"][0]
    answers.page("triton", Listed(f"triton-{known.version}-cp312-cp312-manylinux_2_27_x86_64.whl", b"", yanked=True))
    (row,) = ask(client, tables, "triton").libraries["triton"]
    assert (row["version"], row["yanked"]) == (known.version, True)
    assert "requires" not in row


def test_a_package_without_a_table_is_named(client: Client, tables: Tables) -> None:
    with pytest.raises(UnknownComponent, match="no table of this package"):
        ask(client, tables, "requests")


def torch_wheel(tag: str, version: str, cuda: str | None) -> Listed:
    wheel = Wheel("torch", "2.9.2", tag, requires=('nvidia-cudnn-cu12==9.10.2.21; platform_system == "Linux"',))
    buffer = BytesIO(wheel.data)
    with ZipFile(buffer, "a") as archive:
        archive.writestr("torch/version.py", f"__version__ = {version!r}\ncuda = {cuda!r}\n")
    return Listed(wheel.filename, buffer.getvalue())


def test_a_release_of_torch_has_the_builds_of_the_index(answers: Answers, client: Client, tables: Tables) -> None:
    linux = torch_wheel("cp312-cp312-manylinux_2_28_x86_64", "2.9.2+cu128", "12.8")
    windows = torch_wheel("cp312-cp312-win_amd64", "2.9.2+cpu", None)
    answers.page("torch", linux, windows)
    proposal = ask(client, tables, "torch")
    (row,) = proposal.torch
    builds = {build["platform"]: build for build in row["builds"]}
    assert builds["linux-x86_64"]["build"] == "cu128"
    assert builds["linux-x86_64"]["cudnn"] == "9.10.2.21"
    assert builds["linux-x86_64"]["archs"]["sass"] is None
    assert builds["windows-x86_64"]["archs"] is None
    assert any("measure the wheel" in remark for remark in proposal.remarks)
    assert accepted(proposal, tables).torch[0].version == "2.9.2"


def test_the_index_of_a_tag_adds_builds_and_pythons(answers: Answers, client: Client, tables: Tables) -> None:
    index = "https://download.example/whl/cu128/"
    names = (
        "2.9.1+cu128-cp312-cp312-manylinux_2_28_x86_64",
        "2.9.1+cu128-cp312-cp312-win_amd64",
        "2.9.1+cu130-cp312-cp312-win_amd64",
    )
    answers.page("torch", *(Listed(f"torch-{name}.whl", b"") for name in names), index=index)
    (row,) = propose_tag(index, client, tables, DAY).torch
    assert [(build["platform"], build["pythons"]) for build in row["builds"]] == [
        ("linux-x86_64", ["3.12"]),
        ("windows-x86_64", ["3.12"]),
    ]
    assert {build["build"] for build in row["builds"]} == {"cu128"}
    assert all(build["sources"] == ["pytorch-index-cu128#torch 2.9.1+cu128"] for build in row["builds"])


PAGE = """<html><body>
<table><tr><th>Component</th><th>Version</th><th>Platforms</th></tr>
<tr><td><p>CUDA NVCC</p></td><td><p>13.7.88</p></td><td><p>x86_64</p></td></tr></table>
<table><tr><td><p>CUDA 13.x</p></td><td><p>&gt;=580</p></td><td><p>N/A</p></td></tr></table>
<table class="table-no-stripes"><caption><span>CUDA Toolkit and Corresponding Driver Versions</span></caption>
<thead><tr><th rowspan="2"><p>CUDA Toolkit</p></th><th colspan="2"><p>Toolkit Driver Version</p></th></tr>
<tr><th><p>Linux x86_64 Driver Version</p></th><th><p>Windows x86_64 Driver Version</p></th></tr></thead>
<tr style="border: 1px"><td><p>CUDA 13.7 Update 1</p></td><td><p>&gt;=612.40</p></td><td><p>&gt;=612.55</p></td></tr>
<tr><td>CUDA 13.7 GA</td><td>&gt;=580.20.01</td><td>N/A</td></tr>
<tr><td>CUDA 12.8.1</td><td>&gt;=1.0</td></tr></table></body></html>"""
"""Made like the saved pages of NVIDIA: paragraphs in cells, a head of two rows, tables of other things before."""


def test_a_saved_page_gives_the_toolkits_that_are_not_known(tmp_path: Path, tables: Tables) -> None:
    page = tmp_path / "release-notes.html"
    page.write_text(PAGE, encoding="utf-8")
    rows = propose_toolkits(page, tables, DAY).toolkits
    assert [(row["version"], row["driver"], row["branch"]) for row in rows] == [
        ("13.7.1", {"linux": "612.40", "windows": "612.55"}, None),
        ("13.7.0", {"linux": "580.20.01", "windows": None}, "R580"),
    ]


@pytest.mark.parametrize("text", ["", "<html><body>Sign in</body></html>", "\x00\xff"])
def test_another_page_is_refused(text: str, tmp_path: Path, tables: Tables) -> None:
    page = tmp_path / "page.html"
    page.write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match="no table of CUDA toolkits"):
        propose_toolkits(page, tables, DAY)
