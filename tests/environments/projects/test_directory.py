"""Files that are there are replaced only where they were named, and a refusal writes nothing."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compatsolver.environments.projects.contents import SETUP
from compatsolver.environments.projects.directory import Placed, place
from compatsolver.errors import InputError, ProbeError

NAMES = ("README.md", SETUP, "train_lora.py")
FILES = {name: f"new {name}\n" for name in NAMES}
THERE = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(("new", "old")))
NAMED = st.frozensets(st.sampled_from(NAMES))


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@given(THERE, NAMED, NAMED)
@settings(max_examples=150)
def test_what_is_there_stays_unless_it_is_named(
    there: dict[str, str], force: frozenset[str], keep: frozenset[str]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, age in there.items():
            (folder / file).write_text(f"{age} {file}\n", encoding="utf-8")
        before = contents(folder)
        differing = {file for file, age in there.items() if age == "old"}
        if differing - force - keep:
            with pytest.raises(InputError) as refusal:
                place(folder, FILES, force, keep)
            assert {*refusal.value.context} == differing - force - keep
            assert contents(folder) == before
            return
        placed = place(folder, FILES, force, keep)
        after = contents(folder)
        assert after == FILES | {file: before[file] for file in differing - force}
        assert {*placed.kept} == differing - force
        assert sorted((*placed.written, *placed.unchanged, *placed.kept)) == sorted(NAMES)


def test_the_same_project_again_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "project"
    assert place(folder, FILES, (), ()) == Placed(NAMES, (), ())
    assert place(folder, FILES, (), ()) == Placed((), NAMES, ())
    assert (folder / SETUP).stat().st_mode & 0o111
    assert not (folder / "README.md").stat().st_mode & 0o111


def test_a_file_of_no_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"setup\.py is no file of the project"):
        place(tmp_path, FILES, ("setup.py",), ())
    assert contents(tmp_path) == {}


def test_a_directory_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ProbeError):
        place(tmp_path / "file", FILES, (), ())
    (tmp_path / "README.md").mkdir()
    with pytest.raises(ProbeError):
        place(tmp_path, FILES, NAMES, ())
    assert {path.name for path in tmp_path.iterdir()} == {"file", "README.md"}
