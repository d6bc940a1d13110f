"""Whatever a check does, its parent learns how it ended, and nothing of it is left."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from compatsolver.validation.child import KEPT, Ending, Limits, run_child
from validation.environments import FAULTS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and limits as Linux has them")
ENOUGH = Limits(60)


def run(function: str, limits: Limits = ENOUGH) -> Ending:
    settings = {"script": str(FAULTS), "function": function, "packages": ["peft"], "device": "cpu"}
    return run_child(sys.executable, settings, limits)


def test_what_is_printed_is_no_result() -> None:
    ending = run("fine")
    assert ending.result == {"status": "passed", "numbers": {"answer": 42}}
    assert '{"status": "failed"}' in ending.output


def test_a_crash_is_told_with_its_signal_and_its_stack() -> None:
    ending = run("segfault")
    assert (ending.result, ending.words) == (None, "ended by SIGSEGV")
    assert "in segfault" in ending.output


def test_a_hang_ends_at_its_limit_and_says_where_it_hung() -> None:
    ending = run("hang", Limits(1))
    assert (ending.result, ending.words) == (None, "stopped after its limit of 1 s")
    assert "in hang" in ending.output


def test_memory_without_end_is_an_error_and_not_the_end_of_the_machine() -> None:
    ending = run("hog", Limits(60, memory=1 << 29))
    assert ending.result is not None
    assert ending.result["status"] == "failed"
    assert "MemoryError" in ending.result["problems"][0]


def test_output_without_end_is_cut_and_blocks_nothing() -> None:
    ending = run("chatter")
    assert (ending.result, ending.words) == (None, "exit code 0")
    assert len(ending.output) <= KEPT
    assert ending.output.endswith("the last words\n")


def test_processes_that_a_check_leaves_behind_are_ended() -> None:
    ending = run("orphan")
    assert ending.result is not None
    left = ending.result["numbers"]["left"]
    for _ in range(100):
        if not is_running(left):
            break
        time.sleep(0.05)
    assert not is_running(left)


def is_running(process: int) -> bool:
    """Whether it runs; one that ended and that nobody has asked about yet does not."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_package_that_is_not_installed_skips_the_check() -> None:
    assert run("needs_peft").result == {"status": "skipped", "skipped": "peft is not installed"}


def test_a_number_that_json_cannot_write_is_null() -> None:
    result = run("wrong").result
    assert result is not None
    assert (result["status"], result["numbers"]) == ("failed", {"relative_error": 0.5, "losses": [None]})
