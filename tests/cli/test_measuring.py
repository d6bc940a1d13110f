"""`catalog measure` on files, addresses and releases of an index that is a folder."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from compatsolver.authoring import yamlfile
from compatsolver.authoring.schema_measured import MeasuredWheel
from compatsolver.cli import main
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable

AUTHORING = Path(__file__).parents[1] / "authoring"
NVCC = AUTHORING / "measure" / "made_by_nvcc_13.so"
TEXT = """\
bitsandbytes-0.48.0-py3-none-manylinux_2_24_x86_64.whl
release    bitsandbytes 0.48.0, SIZE bytes
says       __version__ 0.48.0
requires   torch>=2.3
glibc      2.2.5
C++ ABI    no name in its libraries tells
libraries  1, 1 of them with code for GPUs

bitsandbytes/libbitsandbytes_cuda130.so: 26984 bytes, 1 fat binaries
  all      sm_100f, sm_90a, sm_75, compute_120
"""


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a wheel of bitsandbytes with a library into the folder of an index, for a platform."""

    def make(platform: str) -> Path:
        wheel = Wheel("bitsandbytes", "0.48.0", f"py3-none-{platform}", requires=("torch>=2.3",))
        buffer = BytesIO(wheel.data)
        with ZipFile(buffer, "a") as archive:
            archive.writestr("bitsandbytes/version.py", "__version__ = '0.48.0'\n")
            archive.write(NVCC, "bitsandbytes/libbitsandbytes_cuda130.so")
        folder = tmp_path / "simple" / "bitsandbytes"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / wheel.filename
        path.write_bytes(buffer.getvalue())
        links = (
            f'<a href="{one.name}#sha256={sha256(one.read_bytes()).hexdigest()}">{one.name}</a>'
            for one in sorted(folder.glob("*.whl"))
        )
        (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>")
        return path

    return make


def test_a_file_is_measured(make: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = make("manylinux_2_24_x86_64")
    assert main(["catalog", "measure", str(path)]) == 0
    assert capsys.readouterr().out == TEXT.replace("SIZE", str(path.stat().st_size))


def test_an_address_is_measured_and_its_hash_known(
    make: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    address = make("manylinux_2_24_x86_64").as_uri()
    assert main(["catalog", "measure", f"{address}#sha256={'ab' * 32}", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["sha256"]) == ("compatsolver.measurement/1", "ab" * 32)
    assert document["libraries"][0]["linkage"]["soname"] == "libmade.so"


def test_a_release_is_found_on_an_index(make: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    wheels = [make(platform) for platform in ("manylinux_2_24_x86_64", "win_amd64")]
    index = ["--index-url", str(wheels[0].parents[1])]
    asked = ["catalog", "measure", "bitsandbytes==0.48.0", "--format", "yaml", *index]
    assert main([*asked, "--platform", "windows-x86_64"]) == 0
    (row,) = yamlfile.read(capsys.readouterr().out.encode())
    assert row["wheel"] == wheels[1].name
    assert row["sha256"] == sha256(wheels[1].read_bytes()).hexdigest()
    assert MeasuredWheel.read(row).platform == "windows-x86_64"
    assert main([*asked, "--platform", "macos-arm64"]) == 2
    assert "it is there for linux-x86_64, windows-x86_64" in " ".join(capsys.readouterr().err.split())


def test_an_index_without_a_wheel_for_the_platform_is_passed_over(
    make: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make("manylinux_2_24_x86_64")
    (tmp_path / "simple").rename(tmp_path / "first")
    wheel = make("win_amd64")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", (tmp_path / "first").as_uri())
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    asked = ["catalog", "measure", "bitsandbytes==0.48.0", "--format", "yaml", "--platform", "windows-x86_64"]
    assert main(asked) == 0
    (row,) = yamlfile.read(capsys.readouterr().out.encode())
    assert row["wheel"] == wheel.name


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        ("absent.whl", 2, "No such file"),
        ("torch>=2.0", 2, "does not name one release"),
        ("not a wheel", 2, "neither a file nor a requirement"),
        ("file:///nowhere/torch-2.9.1-cp312-cp312-linux_x86_64.whl", 2, "cannot be read"),
    ],
)
def test_what_cannot_be_measured_is_told(asked: str, code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "measure", asked]) == code
    captured = capsys.readouterr()
    assert says in " ".join(captured.err.split())
    assert captured.out == ""


PAGE = "<table><tr><td>CUDA 99.1</td><td>&gt;=580.95.05</td><td>&gt;=581.80</td></tr></table>"


def test_a_refresh_writes_a_proposal_and_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, output = tmp_path / "notes.html", tmp_path / "proposal.yaml"
    page.write_text(PAGE)
    asked = ["catalog", "refresh", str(page), "--output", str(output), "--matrices", str(AUTHORING / "example")]
    assert main(asked) == 0
    (toolkit,) = yamlfile.read(output.read_bytes())["toolkits"]
    assert toolkit["driver"] == {"linux": "580.95.05", "windows": "581.80"}
    assert capsys.readouterr().out == ""
    output.write_text("kept")
    page.write_text("<p>Sign in</p>")
    assert main(asked) == 2
    assert output.read_text() == "kept"


def test_a_day_is_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "refresh", "--since", "June"]) == 2
    assert "--since: not a day" in capsys.readouterr().err


def test_a_reader_that_is_not_installed_is_asked_for(
    make: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "elftools"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    assert main(["catalog", "measure", str(make("manylinux_2_24_x86_64"))]) == 2
    assert "compatsolver[authoring]" in capsys.readouterr().err


class Absent:
    """Finds no elftools."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "elftools":
            raise ModuleNotFoundError(f"No module named {name!r}", name="elftools")
