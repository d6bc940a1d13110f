"""Overlays: what they add, what they correct, how they are refused, and that answers say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from compatsolver.authoring.overlay import overlaid
from compatsolver.catalog.catalogue import Catalog
from compatsolver.errors import CatalogError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Write = "Callable[..., Path]"
HEAD = """\
schema: compatsolver.overlay/1
title: Platform team
sources:
  index: {title: "Internal package index", url: "https://packages.example.com/simple", retrieved: 2027-01-05}
"""
CARD = """\
products:
- {name: Inference Card 48, compute_capability: "8.9", chip: null, memory_gib: 48, market: data-center, released: null,
   sources: [index]}
"""
BUILD = """\
torch:
- version: "2.14.1"
  builds:
  - build: cu126.internal
    platform: linux-x86_64
    like: "2.14.1+cu126"
    index: https://packages.example.com/simple
    pythons: ["3.12", "3.11"]
    archs: {sass: [sm_90, sm_89]}
    sources: ["index#torch"]
"""
LINUX: Any = {"platform": "linux-x86_64", "glibc": "2.35", "python": "3.11"}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an overlay with the head above."""

    def written(*parts: str, name: str = "ours.yaml", head: str = HEAD) -> Path:
        path = tmp_path / name
        path.write_text(head + "".join(parts), encoding="utf-8")
        return path

    return written


def refusal(catalog: Catalog, path: Path) -> str:
    with pytest.raises(InputError) as caught:
        overlaid(catalog, [path])
    assert "docs/overlays.md" in (caught.value.hint or "")
    return "\n".join(caught.value.context)


def test_a_gpu_is_added(write: Callable[..., Path]) -> None:
    asked: Any = {"gpu": "Inference Card 48", "driver": "580.95.05", **LINUX}
    assert compatsolver.plan(**asked).verdict == "undetermined"
    plan = compatsolver.plan(overlay=[write(CARD)], **asked)
    assert plan.verdict == "resolved"
    assert plan.notes[-1] == "the answer rests on the overlay Platform team: without it facts would be missing"


def test_a_build_is_added_from_another_one(write: Callable[..., Path]) -> None:
    path = write(BUILD)
    asked: Any = {"gpu": "RTX 4090", "driver": "535.98", **LINUX}
    plan = compatsolver.plan(["torch==2.14.1+cu126.internal"], overlay=[path], **asked)
    assert (plan.torch.build, plan.torch.index) == ("cu126.internal", "https://packages.example.com/simple")
    assert "uv" not in plan.commands
    assert "--extra-index-url https://packages.example.com/simple" in plan.install_command("pip")
    assert any("inferred" in note for note in plan.notes)


@pytest.mark.parametrize(
    ("gpu", "python", "kind"), [("A100", "3.11", "arch_below_wheel_min"), ("RTX 4090", "3.13", "python_no_wheel")]
)
def test_what_differs_in_a_build_binds(gpu: str, python: str, kind: str, write: Callable[..., Path]) -> None:
    target = LINUX | {"python": python}
    plan = compatsolver.plan(["torch==2.14.1+cu126.internal"], gpu=gpu, overlay=[write(BUILD)], **target)
    assert [conflict.kind for conflict in plan.conflicts] == [kind]
    assert "Internal package index" in "".join(source for fact in plan.conflicts[0].because for source in fact.sources)


def test_a_bound_is_corrected_and_the_rest_of_the_row_stays(write: Callable[..., Path], catalog: Catalog) -> None:
    changed = overlaid(catalog, [write('branches:\n- {branch: R535, below_major: "541", sources: [index]}\n')])
    (before,) = (branch for branch in catalog.branches if branch.name == "R535")
    (after,) = (branch for branch in changed.branches if branch.name == "R535")
    assert (before.below_major, after.below_major) == (540, 541)
    assert after._replace(below_major=540) == before


def test_a_library_of_ones_own(write: Callable[..., Path]) -> None:
    library = """\
components:
- {name: our-kernels, title: Our kernels, kind: package, family: pep440, sources: [index]}
libraries:
  our-kernels:
  - version: "1.2.0"
    released: 2026-10-01
    yanked: false
    requires_python: ">=3.10"
    wheels: [{platform: linux-x86_64, pythons: any}]
    requires: {torch: "==2.9.*"}
    sources: [index]
"""
    plan = compatsolver.plan(["our-kernels"], gpu="RTX 4090", driver="580.95.05", overlay=[write(library)], **LINUX)
    assert (plan.pin("our-kernels").version, plan.torch.version) == ("1.2.0", "2.9.1")
    assert "without it the plan has torch" in plan.notes[-1]


def test_an_answer_that_does_not_rest_on_it_says_that(write: Callable[..., Path]) -> None:
    path = write(CARD)
    plan = compatsolver.plan(gpu="T4", driver="580.95.05", overlay=[path], **LINUX)
    assert plan.notes[-1] == "the answer would be the same without the overlay Platform team"
    (entry,) = plan.catalog["overlay"]
    assert (entry["title"], entry["file"], len(entry["digest"])) == ("Platform team", "ours.yaml", 64)
    bare = compatsolver.plan(gpu="T4", driver="580.95.05", **LINUX)
    assert "overlay" not in bare.catalog
    assert (plan.catalog["version"], plan.catalog["digest"]) == (bare.catalog["version"], bare.catalog["digest"])


def test_the_later_overlay_wins(write: Callable[..., Path], catalog: Catalog) -> None:
    row = 'branches:\n- {{branch: R535, below_major: "{}", sources: [index]}}\n'
    first = write(row.format("538"), name="first.yaml")
    second = write(row.format("541"), name="second.yaml", head=HEAD.replace("Platform", "Driver"))
    changed = overlaid(catalog, [first, second])
    assert [branch.below_major for branch in changed.branches if branch.name == "R535"] == [541]
    assert [entry["title"] for entry in changed.overlay] == ["Platform team", "Driver team"]


def test_an_overlay_is_compiled_once(write: Callable[..., Path], catalog: Catalog) -> None:
    path = write(CARD)
    assert overlaid(catalog, [path]) is overlaid(catalog, [path])


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ("gpus: []\n", "ours.yaml:5: gpus: not a table; use one of sources,"),
        ("products: {}\n", "ours.yaml:5: products: should be a list"),
        ("products:\n- a\n", "ours.yaml:6: products.0: should be a mapping"),
        (CARD.replace('"8.9"', "8.9"), "ours.yaml:6: products.0.compute_capability: should be a text"),
        (CARD.replace("market", "martek"), "ours.yaml:6: products.0.market: the key is missing"),
        (CARD.replace("sources: [index]", "sources: [wiki]"), "ours.yaml:6: the source 'wiki' is not declared"),
        (CARD.replace("sources: [index]", "sources: []"), "ours.yaml:6: the row has no source"),
        (BUILD.replace("2.14.1+cu126", "2.14.1+cu999"), "there is no row '2.14.1+cu999' to start from"),
        (BUILD.replace("    index: https://packages.example.com/simple\n", ""), "builds.0.index: the key is missing"),
        (BUILD.replace("cu126.internal", "cu128"), "the build is called cu128 and has CUDA 12.6"),
        ('branches:\n- {branch: R535, below_major: "700", sources: [index]}\n', "overlap"),
        ("aliases: {torchh: {component: torhc, why: x}}\n", "torhc, which is no component"),
        ("libraries: {peft: [{version: x, like: 1.0}]}\n", "there is no row 1.0 to start from"),
        ("torch: [\n", "ours.yaml:6: not YAML"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(
    parts: str, says: str, write: Callable[..., Path], catalog: Catalog
) -> None:
    assert says in refusal(catalog, write(parts))


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("", "an overlay is a mapping"),
        ("- a\n", "an overlay is a mapping"),
        ("title: a\n", "schema: should be compatsolver.overlay/1"),
        ("schema: compatsolver.overlay/1\n", "title: should be a text"),
    ],
)
def test_a_file_that_is_no_overlay(head: str, says: str, write: Callable[..., Path], catalog: Catalog) -> None:
    assert says in refusal(catalog, write(head=head))


def test_a_file_that_is_not_there(tmp_path: Path, catalog: Catalog) -> None:
    with pytest.raises(InputError, match="No such file"):
        overlaid(catalog, [tmp_path / "absent.yaml"])


def test_a_catalogue_without_tables_takes_no_overlay(write: Callable[..., Path], catalog: Catalog) -> None:
    payload = {name: catalog.payload[name] for name in catalog.payload if name != "tables"}
    parts = (catalog.horizon, catalog.components, catalog.rules_by_library)
    bare = Catalog(catalog.version, catalog.digest, *parts, payload)
    with pytest.raises(CatalogError, match="carries no tables"):
        overlaid(bare, [write(CARD)])
