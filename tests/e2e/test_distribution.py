"""What a wheel and a source distribution hold, built by hatchling in this environment without an index."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from compatsolver.catalog.load import read

ROOT = Path(__file__).parents[2]
CATALOGUE = "compatsolver/catalog/catalog.jsonl"


def build(source: Path, target: str, directory: Path) -> Path:
    """Build one distribution of `source` and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(directory)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, text=True)
    (distribution,) = directory.iterdir()
    return distribution


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture
def unpacked(source_distribution: Path, tmp_path: Path) -> Path:
    """The source tree as somebody gets it who has no git checkout; each test may change its own."""
    directory = tmp_path / "unpacked"
    with tarfile.open(source_distribution) as archive:
        archive.extractall(directory, filter="data")
    (tree,) = directory.iterdir()
    return tree


def test_sdist_holds_the_tables_and_no_compiled_catalogue(unpacked: Path) -> None:
    assert list((unpacked / "data" / "matrices").glob("*.yaml"))
    assert not (unpacked / "src" / CATALOGUE).exists()


def test_wheel_built_from_the_sdist_holds_a_fresh_catalogue(unpacked: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(build(unpacked, "wheel", tmp_path / "wheel")) as wheel:
        names = wheel.namelist()
        assert read(wheel.read(CATALOGUE), CATALOGUE).rules
    assert names.count(CATALOGUE) == 1
    assert "compatsolver/py.typed" in names
    assert "compatsolver/environments/projects/templates/setup.sh" in names
    assert not [name for name in names if name.startswith(("data/", "tests/", "src/"))]


def test_a_stale_catalogue_never_enters_a_wheel(unpacked: Path, tmp_path: Path) -> None:
    stale = unpacked / "src" / CATALOGUE
    stale.write_text('"stale"', encoding="utf-8")
    with zipfile.ZipFile(build(unpacked, "wheel", tmp_path / "wheel")) as wheel:
        assert read(wheel.read(CATALOGUE), CATALOGUE).rules


def test_a_broken_table_fails_the_build(unpacked: Path, tmp_path: Path) -> None:
    (unpacked / "data" / "matrices" / "broken.yaml").write_text("schema: [\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as failure:
        build(unpacked, "wheel", tmp_path / "wheel")
    assert "broken.yaml" in failure.value.stderr
