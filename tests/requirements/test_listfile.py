"""Requirements files as pip reads them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.errors import CompatError, InputError, InvalidRequirement
from compatsolver.model.request import Listing, Target
from compatsolver.requirements.listfile import logical_lines, read_list_files
from compatsolver.requirements.textfile import LARGEST

if TYPE_CHECKING:
    from pathlib import Path

LINUX = Target(python="3.11", platform="linux-x86_64")


def written(folder: Path, **files: str) -> Path:
    """Write `name.txt` for each name; the first one's path."""
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.txt"


def read(path: Path) -> Listing:
    return read_list_files([path], [], LINUX)


def test_comments_blank_lines_and_continued_lines(tmp_path: Path) -> None:
    text = "# a stack\n\ntorch>=2.6, \\\n  <2.10  # as last year\ntorchvision#not a comment\n"
    lines = list(logical_lines(text))
    assert lines == [(3, "torch>=2.6,   <2.10"), (5, "torchvision#not a comment")]


def test_a_place_is_the_first_of_continued_lines(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="\ntorch \\\n  >=2.6\npeft\n")
    assert [entry.origin for entry in read(path).requirements] == [f"{path}:2", f"{path}:4"]


@pytest.mark.parametrize("option", ["-r base.txt", "--requirement base.txt", "--requirement=base.txt", "-rbase.txt"])
def test_nested_files_are_read_where_they_stand(option: str, tmp_path: Path) -> None:
    path = written(tmp_path, requirements=f"torch\n{option}\npeft\n", base="transformers\n")
    assert [entry.name for entry in read(path).requirements] == ["torch", "transformers", "peft"]


def test_nested_files_are_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    written(tmp_path / "more", inner="-r innermost.txt\n", innermost="peft\n")
    path = written(tmp_path, requirements="-r more/inner.txt\n")
    assert [entry.name for entry in read(path).requirements] == ["peft"]


def test_constraints_stay_constraints_however_they_are_included(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="torch\n-c limits.txt\n", limits="torch<2.9\n-r more.txt\n", more="numpy<2\n")
    found = {(entry.name, entry.is_constraint) for entry in read(path).requirements}
    assert found == {("torch", False), ("torch", True), ("numpy", True)}


def test_constraint_files_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path, limits="torch<2.9\n")
    (entry,) = read_list_files([], [path], LINUX).requirements
    assert (entry.is_constraint, entry.origin) == (True, f"{path}:1")


def test_options_about_indexes_are_noted_without_their_values(tmp_path: Path) -> None:
    lines = (
        "--index-url https://user:secret@example.com/simple\n-i x\n--extra-index-url=y\n--find-links z\n--pre\ntorch\n"
    )
    listing = read(written(tmp_path, requirements=lines))
    assert [entry.name for entry in listing.requirements] == ["torch"]
    assert len(listing.notes) == 5
    assert "--index-url is not used" in listing.notes[0]
    assert "secret" not in "".join(listing.notes)


def test_hashes_are_noted_and_left_out(tmp_path: Path) -> None:
    listing = read(written(tmp_path, requirements="torch==2.9.1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"))
    assert [entry.text for entry in listing.requirements] == ["torch==2.9.1"]
    assert "hashes and options are not used" in listing.notes[0]


def test_markers_are_for_the_target(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="torch\ntriton-windows; sys_platform == 'win32'\n")
    assert [entry.name for entry in read(path).requirements] == ["torch"]


def test_all_lines_that_are_none_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="torch=>2\n-e .\npeft @ https://x.example/y.whl\n./local\ntorch\n")
    with pytest.raises(InvalidRequirement) as caught:
        read(path)
    places = [line.rpartition(": ")[0].split(": ")[0] for line in caught.value.context]
    assert places == [f"{path}:{number}" for number in (1, 2, 3, 4)]
    assert "editable" in caught.value.context[1]
    assert caught.value.message.startswith("4 lines are not")


def test_a_file_that_is_not_there_names_the_one_that_wants_it(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="torch\n-r absent.txt\n")
    with pytest.raises(InputError, match=r"absent\.txt: No such file") as caught:
        read(path)
    assert caught.value.context == (f"included by {path}:2",)


def test_a_circle_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, requirements="-r other.txt\n", other="-r requirements.txt\n")
    with pytest.raises(InputError, match="include each other"):
        read(path)


def test_a_file_on_a_network_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not on this machine"):
        read(written(tmp_path, requirements="-r https://example.com/requirements.txt\n"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_bytes("torch  # größer\r\npeft\r\n".encode(encoding))
    assert [entry.name for entry in read(path).requirements] == ["torch", "peft"]


@pytest.mark.parametrize("data", [b"torch\x00", b"\xff\xfe\xfa", b"\xe9torch\n", b"x" * (LARGEST + 1)])
def test_what_is_no_text_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_bytes(data)
    with pytest.raises(InputError):
        read(path)


@given(data=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    with suppress(CompatError):
        assert all(entry.name and entry.origin for entry in read(path).requirements)


def test_options_are_noted_for_what_they_are_and_unknown_ones_refused(tmp_path: Path) -> None:
    listing = read(written(tmp_path, of_an_installer="--no-binary :all:\ntorch\n"))
    assert listing.notes[0].endswith("--no-binary is not used here; the installer will need it as well")
    with pytest.raises(InvalidRequirement) as failure:
        read(written(tmp_path, unknown="--bogus\ntorch\n"))
    assert "unknown.txt:1: --bogus is no option of a requirements file" in failure.value.context[0]


def test_a_link_to_itself_is_an_error_of_the_input(tmp_path: Path) -> None:
    loop = tmp_path / "loop.txt"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match="symbolic links"):
        read(loop)
