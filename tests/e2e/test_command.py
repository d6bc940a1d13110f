"""The command as a real process: exit codes, streams, the JSON contract, bad input and what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from compatsolver.catalog.load import BUNDLED
from process import LINUX, RTX_4090, SCHEMA, assert_refused, command, resolve

# Verdicts


@pytest.mark.parametrize(
    ("arguments", "code", "torch"),
    [
        (("--gpu", "RTX 4090", "--driver", "535.98", "--python", "3.11"), 0, ("2.14.1", "cu126")),
        (("torch==2.3.0", "--gpu", "RTX 4090", "--driver", "535.98", "--python", "3.10"), 0, ("2.3.0", "cu121")),
        (("--gpu", "V100", "--gpu", "RTX 5090", "--driver", "575.64.05"), 0, ("2.10.0", "cu128")),
        (("--gpu", "T4", "--driver", "580.95.05", "--python", "3.11"), 0, ("2.15.0", "cu132")),
        (("--gpu", "A100", "--python", "3.8"), 0, ("2.4.1", "cu121")),
        (("--gpu", "GTX 1080", "--gpu", "RTX 5090", "--driver", "580.95.05"), 1, None),
        (("--gpu", "V100", "--driver", "595.71"), 1, None),
        (("--gpu", "RTX 5090", "--driver", "565.57.01"), 1, None),
        (("--gpu", "RTX 9990", "--driver", "580.95.05"), 3, None),
        (("--gpu", "13.0", "--driver", "580.95.05"), 3, None),
        (("torch==2.99", "--gpu", "T4", "--driver", "580.95.05"), 3, None),
    ],
)
def test_the_verdict_is_the_exit_code_and_the_document_follows_the_schema(
    arguments: tuple[str, ...], code: int, torch: tuple[str, str] | None
) -> None:
    defaults = [] if "--python" in arguments else ["--python", "3.12"]
    host = ("--platform", "linux-x86_64", "--glibc", "2.35", *defaults)
    done = resolve(*arguments, *host, "--format", "json")
    assert done.returncode == code, done.stderr
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    pinned = [(pin["version"], pin["build"]) for pin in document["pins"] if pin["name"] == "torch"]
    assert pinned == ([torch] if torch else [])


def test_cpu_is_asked_for_with_none() -> None:
    done = resolve("--gpu", "none", *LINUX, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["runtime"]["cuda"] is None


def test_text_is_for_people_and_the_same_every_time() -> None:
    first, second = resolve(*RTX_4090), resolve(*RTX_4090)
    assert first.stdout == second.stdout
    assert first.stdout.splitlines()[0] == "PyTorch 2.14.1 with CUDA 12.6 for GeForce RTX 4090, driver 535.98"
    assert "uv pip install" in first.stdout
    assert "\x1b" not in first.stdout


def test_markdown_is_a_page() -> None:
    assert resolve(*RTX_4090, "--format", "markdown").stdout.startswith("### PyTorch 2.14.1 with CUDA 12.6")


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--gpu", "T4", "--driver", "five-three-five"), ("five-three-five",)),
        (("--gpu", "T4", "--platform", "beos-m68k"), ("beos-m68k", "linux-x86_64")),
        (("--gpu", "T4", "--python", "three"), ("three",)),
        (("--gpu", "T4", "--glibc", "new"), ("new",)),
        (("--gpu", "T4", "--cuda", "=>12"), ("=>12",)),
        (("torch=>2", "--gpu", "T4"), ("torch=>2",)),
        (("torchvison", "--gpu", "T4"), ("torchvison", "torchvision")),
        (("--gpu", "none", "--gpu", "T4"), ("none", "contradicts")),
        (("--gpu", "T4", "--wsl", "--platform", "windows-x86_64"), ("wsl", "windows-x86_64")),
        (("--gpu", "RX 7900 XTX"), ("AMD",)),
        (("--gpu", "T4", "--environment", "no-such-file.yaml"), ("no-such-file.yaml",)),
        (("--gpu", "T4", "--catalog", "no-such-file.json"), ("no-such-file.json",)),
    ],
    ids=" ".join,
)
def test_what_cannot_be_read_is_refused_with_a_hint(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(resolve(*arguments), 2, *words)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "contents",
    [b"", b"\n\n", BOMB.encode(), b"- a list\n", b"gpu: [\n", b"\x00\x01\x02\xff", b"gpu: T4\n" * 6_600_000],
    ids=["empty", "blank", "bomb", "list", "unclosed", "binary", "50 MB"],
)
def test_an_environment_file_that_is_none_is_refused(contents: bytes, tmp_path: Path) -> None:
    path = tmp_path / "machine.yaml"
    path.write_bytes(contents)
    assert_refused(resolve("--environment", path), 2, "machine.yaml")


def test_with_json_an_error_is_one_document() -> None:
    done = resolve("--gpu", "T4", "--driver", "five-three-five", "--format", "json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert document["schema"] == "compatsolver.error/1"
    assert document["hint"]
    assert (
        document["message"].split() == done.stderr.removeprefix("error: ").split()[: len(document["message"].split())]
    )


# The catalogue


def damaged(tmp_path: Path) -> list[Path]:
    """A catalogue with one digit changed, one cut short, and a file that never was one."""
    sound = Path(BUNDLED).read_bytes()
    changed = sound.replace(b"535", b"536", 1)
    assert changed != sound
    files = {"changed.json": changed, "cut.json": sound[: len(sound) // 2], "other.json": b"{}\n"}
    for name, contents in files.items():
        (tmp_path / name).write_bytes(contents)
    return [tmp_path / name for name in files]


def test_a_damaged_catalogue_is_refused(tmp_path: Path) -> None:
    for path in damaged(tmp_path):
        assert_refused(resolve(*RTX_4090, "--catalog", path), 4, path.name, "damaged")


def test_the_variable_names_the_catalogue_too(tmp_path: Path) -> None:
    path = damaged(tmp_path)[0]
    assert_refused(resolve(*RTX_4090, variables={"COMPATSOLVER_CATALOG": str(path)}), 4, path.name)


def test_info_agrees_with_the_answer() -> None:
    info = command("catalog", "info")
    assert info.returncode == 0, info.stderr
    catalog = json.loads(resolve(*RTX_4090, "--format", "json").stdout)["catalog"]
    assert f"version    {catalog['version']}\n" in info.stdout
    assert f"digest     {catalog['digest']}\n" in info.stdout


def test_the_tables_are_clean() -> None:
    done = command("catalog", "lint")
    assert done.returncode == 0, done.stderr


def test_compiling_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    outputs = [tmp_path / "first.json", tmp_path / "second.json"]
    for path in outputs:
        done = command("catalog", "compile", "--output", path)
        assert done.returncode == 0, done.stderr
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == outputs


@pytest.mark.parametrize("where", ["a directory", "nowhere", "read-only"])
def test_a_catalogue_that_cannot_be_written_is_said_so(where: str, tmp_path: Path) -> None:
    places = {
        "a directory": tmp_path,
        "nowhere": tmp_path / "absent" / "catalog.jsonl",
        "read-only": Path("/sys/compatsolver.json"),  # refused even to root, whom permission bits do not stop
    }
    if where == "read-only" and not Path("/sys").is_dir():
        pytest.skip("no /sys here")
    assert_refused(command("catalog", "compile", "--output", places[where]), 6, str(places[where]), "--output")
    assert list(tmp_path.iterdir()) == []


# Streams


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
@pytest.mark.parametrize("arguments", [RTX_4090, (*RTX_4090, "--format", "json"), ("--help",)])
def test_a_reader_who_left_is_no_error(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = resolve(*arguments, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="POSIX shell")
def test_a_closed_stdout_leaves_the_exit_code() -> None:
    line = ["sh", "-c", 'exec "$0" -m compatsolver "$@" >&-', sys.executable, "resolve", *RTX_4090]
    done = subprocess.run(line, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_said_so() -> None:
    with Path("/dev/full").open("w") as full:
        done = resolve(*RTX_4090, stdout=full)
    assert done.returncode == 6
    assert "standard output cannot be written" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_odd_encoding_does_not_crash(encoding: str) -> None:
    done = resolve("--gpu", "Ω", *LINUX, variables={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert done.returncode == 3, done.stderr
