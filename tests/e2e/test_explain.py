"""The commands `explain` and `check`, run as users run them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BLACKWELL = "torch 2.7.0+cu126\nNVIDIA GeForce RTX 5070, driver 570.133.07\nno kernel image is available for execution"
SHAPES = {
    "github": "::error title=arch-above-wheel-max::",
    "markdown": "### ",
    "text": "Torch 2.7.0+cu126 has no kernels",
}


def _run(*arguments: str, text: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run(
        [sys.executable, "-m", "compatsolver", *arguments], input=data, capture_output=True, check=False, timeout=120
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_paste_on_standard_input_is_diagnosed() -> None:
    done = _run("explain", "--format", "json", "-", text=BLACKWELL)
    document = json.loads(done.stdout)
    assert (done.returncode, document["verdict"]) == (1, "incompatible")
    finding = document["findings"][0]
    assert (finding["kind"], finding["code"]) == ("arch_above_wheel_max", "arch-above-wheel-max")
    assert finding["fixes"][0] | {"action": "", "command": ""} == {
        "change": "torch",
        "to": "2.7.0+cu128",
        "cuda": "12.8",
        "action": "",
        "command": "",
        "applicability": "safe",
        "verified": True,
    }


@pytest.mark.parametrize("form", sorted(SHAPES))
def test_every_format_prints_the_finding(form: str, tmp_path: Path) -> None:
    paste = tmp_path / "log.txt"
    paste.write_text(BLACKWELL, encoding="utf-8")
    done = _run("explain", str(paste), "--format", form)
    assert done.returncode == 1
    assert SHAPES[form].lower() in done.stdout.lower()
    prose = [line for line in done.stdout.splitlines() if "pip install" not in line]
    assert form != "text" or max(map(len, prose)) <= 80


def test_binary_input_is_undetermined() -> None:
    done = _run("explain", "-", text=bytes(range(256)) * 8)
    assert (done.returncode, done.stderr) == (3, "")


def test_a_sound_stack_exits_with_zero(tmp_path: Path) -> None:
    environment = tmp_path / "machine.yaml"
    environment.write_text("gpu: RTX 4090\ndriver: 560.35.03\npackages: {torch: 2.6.0+cu124}\n", encoding="utf-8")
    done = _run("explain", "--environment", str(environment))
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Nothing that was read is incompatible.")


def test_an_environment_without_keys_leaves_the_paste_alone(tmp_path: Path) -> None:
    environment = tmp_path / "machine.yaml"
    environment.write_text("{}\n", encoding="utf-8")
    done = _run("explain", "--environment", str(environment), "--format", "json", "-", text=BLACKWELL)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (1, "incompatible")


def test_an_overlay_is_laid_on_what_explain_knows(tmp_path: Path) -> None:
    overlay = tmp_path / "ours.yaml"
    overlay.write_text(
        "schema: compatsolver.overlay/1\ntitle: Platform team\n"
        "sources:\n  rack: {title: Rack list, url: null, retrieved: 2026-11-20}\n"
        "products:\n- {name: Inference Card 48, compute_capability: '12.0', chip: null, memory_gib: 48,"
        " market: data-center, released: null, sources: [rack]}\n",
        encoding="utf-8",
    )
    machine = tmp_path / "machine.yaml"
    machine.write_text("gpu: Inference Card 48\npackages: {torch: 2.6.0+cu124}\n", encoding="utf-8")
    without = json.loads(_run("explain", "--environment", str(machine), "--format", "json").stdout)
    done = _run("explain", "--environment", str(machine), "--overlay", str(overlay), "--format", "json")
    document = json.loads(done.stdout)
    assert without["verdict"] == "undetermined"
    assert (done.returncode, document["findings"][0]["kind"]) == (1, "arch_above_wheel_max")
    assert document["catalog"]["overlay"][0]["title"] == "Platform team"


def test_a_file_that_is_not_there_is_said_to_be() -> None:
    done = _run("explain", "no-such-file.log")
    assert done.returncode == 2
    assert "no-such-file.log" in done.stderr


def test_flags_describe_the_machine_beside_a_paste_and_win_over_a_document(tmp_path: Path) -> None:
    machine = tmp_path / "machine.yaml"
    machine.write_text("gpu: Tesla T4\ndriver: '470.57'\n", encoding="utf-8")
    flags = ("--environment", str(machine), "--gpu", "RTX 5090", "--driver", "570.86.10", "--format", "json")
    document = json.loads(_run("explain", "-", *flags, text="torch 2.6.0+cu124").stdout)
    read = document["read"]
    assert ([gpu["compute_capability"] for gpu in read["gpu"]], read["driver"]) == (["12.0"], "570.86.10")
    assert [finding["kind"] for finding in document["findings"]] == ["arch_above_wheel_max"]


def test_flags_alone_are_a_machine_that_is_not_this_one() -> None:
    done = _run("explain", "--gpu", "RTX 5090", "--driver", "470.57", "--format", "json")
    assert json.loads(done.stdout)["findings"][0]["kind"] == "driver_drops_gpu"


def test_what_asks_for_a_plan_is_refused_and_not_passed_over() -> None:
    done = _run("explain", "-", "--cuda", "12.8", text="torch 2.6.0")
    assert done.returncode == 2
    assert "--cuda asks for a plan" in done.stderr


def test_the_page_of_a_kind_is_printed_offline() -> None:
    done = _run("explain", "--kind", "cudnn-soname")
    assert done.returncode == 0
    assert "kind cudnn_soname" in done.stdout
    assert _run("explain", "--kind", "list").stdout.count("\n") > 40


def test_a_kind_that_is_none_has_near_names() -> None:
    done = _run("explain", "--kind", "cudnn-sonam")
    assert done.returncode == 2
    assert "cudnn_soname" in done.stderr


def test_why_a_pin_stands_and_what_keeps_another_out() -> None:
    target = ("--gpu", "V100", "--driver", "580.65.06", "--python", "3.12", "--platform", "linux-x86_64")
    assert "capability 7.0" in _run("explain", "--why", "torch", *target).stdout
    kept_out = _run("explain", "--why-not", "torch==2.15.0", *target)
    assert (kept_out.returncode, "no kernels" in kept_out.stdout) == (0, True)


@pytest.mark.parametrize(("pins", "code"), [("torch==2.9.1\n", 1), ("torch==2.6.0\n", 0), ("torch==9.9.9\n", 3)])
def test_a_pin_list_is_checked_against_a_machine(pins: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "pins.txt").write_text(pins, encoding="utf-8")
    done = _run(
        "check", str(tmp_path / "pins.txt"), "--gpu", "RTX 4090", "--driver", "450.80.02" if code == 1 else "550.54.15",
        "--python", "3.12", "--platform", "linux-x86_64", "--format", "json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, "")
    assert json.loads(done.stdout)["verdict"] == {0: "compatible", 1: "incompatible", 3: "undetermined"}[code]


def test_a_refused_request_comes_with_fixes() -> None:
    done = _run(
        "resolve", "torch==2.6.0", "--gpu", "RTX 5070", "--driver", "570.86.15", "--python", "3.12",
        "--platform", "linux-x86_64", "--format", "json",
    )  # fmt: skip
    document = json.loads(done.stdout)
    assert (done.returncode, document["verdict"]) == (1, "conflict")
    assert document["fixes"][0]["to"] == "2.7.0+cu128"
    assert document["fixes"][0]["verified"]
