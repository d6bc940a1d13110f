"""The scripts of a project, as far as they need no torch; tests/validation_real runs them."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ElementTree
from importlib import resources
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from find_batch import LARGEST, search, size, status
from loss_curve import HEIGHT, WIDTH, picture, smoothed

if TYPE_CHECKING:
    from pathlib import Path

LOSSES = st.lists(st.floats(0, 1e6), min_size=1, max_size=200)


@given(LOSSES, st.integers(1, 1000))
def test_every_step_is_a_point_of_the_picture(losses: list[float], first: int) -> None:
    root = ElementTree.fromstring(picture([*range(first, first + len(losses))], losses))
    lines = [line.get("points", "").split() for line in root if line.tag.endswith("polyline")]
    assert [len(points) for points in lines] == [len(losses)] * 2
    for point in (point for points in lines for point in points):
        across, down = map(float, point.split(","))
        assert 0 <= across <= WIDTH
        assert 0 <= down <= HEIGHT


@given(LOSSES)
def test_a_smoothed_line_stays_within_what_was_seen(losses: list[float]) -> None:
    found = smoothed(losses)
    assert found[0] == losses[0]
    for number, value in enumerate(found, start=1):
        assert min(losses[:number]) * (1 - 1e-9) <= value <= max(losses[:number]) * (1 + 1e-9)


@given(st.integers(0, LARGEST))
def test_the_search_finds_the_largest_that_fits(largest: int) -> None:
    tries: list[int] = []

    def fits(batch: int) -> bool:
        tries.append(batch)
        return batch <= largest

    assert search(fits) == largest
    assert len(tries) == len({*tries})
    assert sum(batch > largest for batch in tries) <= largest.bit_length() + 1


def test_memory_is_read_in_bytes(tmp_path: Path) -> None:
    account = tmp_path / "status"
    account.write_text("Name:\tpython\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\n", encoding="utf-8")
    assert (status("VmHWM", account), status("VmRSS", account)) == (2 << 20, 1 << 20)
    assert (size(3 << 30), size(1 << 20)) == ("3.00 GiB", "1.00 MiB")


def test_the_shell_reads_the_setup() -> None:
    script = resources.files("compatsolver.environments.projects") / "templates" / "setup.sh"
    done = subprocess.run(
        ["sh", "-n"], input=script.read_text(encoding="utf-8"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
