"""Requests beyond the command line's own words: files, policies, overlays and other catalogues."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from compatsolver.catalog.load import bundled
from compatsolver.catalog.sections import seal
from process import LINUX, RTX_4090, SCHEMA, assert_refused, command, resolve

if TYPE_CHECKING:
    from pathlib import Path

OVERLAY = """\
schema: compatsolver.overlay/1
title: Platform team
sources:
  index: {title: "Internal package index", url: "https://packages.example.com/simple", retrieved: 2026-11-20}
products:
- {name: Inference Card 48, compute_capability: "8.9", chip: null, memory_gib: 48, market: data-center, released: null,
   sources: [index]}
"""


def answer(*arguments: str | Path, **settings: Any) -> dict[str, Any]:
    """The document of a plan, held against its schema."""
    done = resolve(*arguments, "--format", "json", **settings)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_requirements_come_from_files_projects_and_profiles(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("-c limits.txt\ntorchvision  # models\nnvitop>=1\n", encoding="utf-8")
    (tmp_path / "limits.txt").write_text("torch<2.10\n", encoding="utf-8")
    project = (
        "[project]\ndependencies = ['peft; python_version < \"3.13\"']\noptional-dependencies = {data = ['datasets']}\n"
    )
    (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    files = ("-r", "requirements.txt", "--from", "pyproject.toml", "--extra", "data", "--profile", "torch")
    document = answer(*files, *RTX_4090, cwd=tmp_path)
    pins = {pin["name"]: pin["version"] for pin in document["pins"]}
    assert pins.keys() >= {"torch", "torchvision", "peft", "datasets"}
    assert pins["torch"].startswith("2.9.")
    assert document["unchecked"] == ["nvitop>=1"]
    assert all("'nvitop>=1'" in lines[0] for lines in document["commands"].values())


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch\ntorch=>2\n-e .\n", encoding="utf-8")
    assert_refused(
        resolve("-r", "requirements.txt", *RTX_4090, cwd=tmp_path), 2, "requirements.txt:2", "requirements.txt:3"
    )


def test_a_conflict_names_the_lines_it_is_between(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==2.3.0\ntorchvision==0.24.1\n", encoding="utf-8")
    done = resolve("-r", "requirements.txt", *RTX_4090, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "torch==2.3.0 (requirements.txt:1)" in done.stdout
    assert "torchvision==0.24.1 (requirements.txt:2)" in done.stdout


def test_closest_reads_the_packages_of_the_environment(tmp_path: Path) -> None:
    machine = "gpu: RTX 4090\ndriver: 535.98\npackages: {torch: 2.6.0+cu124, torchvision: 0.21.0}\n"
    (tmp_path / "machine.yaml").write_text(machine, encoding="utf-8")
    document = answer("peft", "--environment", "machine.yaml", "--policy", "closest", *LINUX, cwd=tmp_path)
    pins = {pin["name"]: pin["version"] for pin in document["pins"]}
    assert (pins["torch"], pins["torchvision"]) == ("2.6.0", "0.21.0")


@pytest.mark.parametrize("by", ["flag", "variable"])
def test_an_overlay_is_named_by_flag_or_variable(by: str, tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(OVERLAY, encoding="utf-8")
    flag = ("--overlay", path) if by == "flag" else ()
    variables = {"COMPATSOLVER_OVERLAY": str(path)} if by == "variable" else {}
    document = answer("--gpu", "Inference Card 48", "--driver", "580.95.05", *flag, *LINUX, variables=variables)
    assert [entry["title"] for entry in document["catalog"]["overlay"]] == ["Platform team"]
    assert "rests on the overlay Platform team" in document["notes"][-1]


def test_an_overlay_needs_nothing_but_the_dependencies(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(OVERLAY, encoding="utf-8")
    program = (
        "import sys; sys.modules |= dict.fromkeys(['pydantic', 'pytest', 'hypothesis']);"
        "from compatsolver.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["resolve", "--gpu", "Inference Card 48", "--driver", "580.95.05", *LINUX, "--overlay", "ours.yaml"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "overlay Platform team" in done.stdout


def test_an_unsound_overlay_is_refused_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(OVERLAY.replace("[index]", "[wiki]"), encoding="utf-8")
    assert_refused(resolve(*RTX_4090, "--overlay", path), 2, "ours.yaml:6", "wiki", "docs/overlays.md")


def resealed(path: Path, **sections: Any) -> Path:
    """The shipped catalogue with other sections, soundly sealed."""
    shipped = bundled().payload
    path.write_bytes(seal({name: sections.get(name, shipped[name]) for name in shipped}))
    return path


def test_a_newer_catalogue_is_used(tmp_path: Path) -> None:
    newer = resealed(tmp_path / "newer.jsonl", version="2027.01.31", horizon="2027-01-31")
    assert answer(*RTX_4090, "--catalog", newer)["catalog"]["version"] == "2027.01.31"
    variables = {"COMPATSOLVER_CATALOG": str(newer)}
    assert "version    2027.01.31\n" in command("catalog", "info", variables=variables).stdout


def test_a_catalogue_of_another_schema_is_refused(tmp_path: Path) -> None:
    other = resealed(tmp_path / "other.jsonl", schema="compatsolver.catalogue/9")
    assert_refused(resolve(*RTX_4090, "--catalog", other), 4, "other.jsonl", "compatsolver.catalogue/9")


def test_info_counts_rows_and_names_overlays(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(OVERLAY, encoding="utf-8")
    bare, laid = command("catalog", "info").stdout, command("catalog", "info", "--overlay", path).stdout
    counts = [int(re.search(r"rows +(\d+) products", text)[1]) for text in (bare, laid)]  # type: ignore[index]
    assert counts[1] == counts[0] + 1
    assert "overlay    Platform team (ours.yaml, " in laid
