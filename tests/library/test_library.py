"""Use from Python: from another package, from threads, in a notebook, with the target as an object."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import compatsolver
from compatsolver import Target
from compatsolver.catalog import load
from compatsolver.solver import formulate, policy

CONSUMER = Path(__file__).with_name("consumer.py")
SERVER = Target(gpus=("RTX 4090",), driver="535.98", python="3.11", platform="linux-x86_64", glibc="2.35")
AXES: Any = {"gpu": "RTX 4090", "driver": "535.98", "python": "3.11", "platform": "linux-x86_64", "glibc": "2.35"}


def test_a_target_as_an_object_is_its_axes() -> None:
    assert compatsolver.resolve(target=SERVER) == compatsolver.resolve(**AXES)


def test_a_target_without_gpus_asks_for_a_cpu_stack() -> None:
    target = Target(gpus=(), python="3.11", platform="linux-x86_64")
    assert compatsolver.resolve(target=target).torch.build == "cpu"


def test_a_target_and_an_axis_contradict_each_other() -> None:
    with pytest.raises(compatsolver.InputError, match="single axes"):
        compatsolver.plan(target=SERVER, driver="580.95.05")


@pytest.mark.parametrize("word", ["none", "cpu", "None"])
def test_a_target_takes_the_words_of_the_flags(word: str) -> None:
    target = Target(gpus=(word,), python="3.11", platform="linux-x86_64")
    assert compatsolver.resolve(target=target).torch.build == "cpu"


def test_eight_threads_from_a_cold_start_get_the_answers_of_one() -> None:
    asked: list[Any] = [
        AXES | {"gpu": gpu, "driver": driver, "requires": requires, "policy": chosen}
        for gpu in ("RTX 4090", "V100", "T4", ["V100", "RTX 4090"])
        for driver in ("535.98", "575.64.05")
        for requires in ((), ("torchvision",), ("transformers", "peft"), ("torch==2.6.0",))
        for chosen in ("newest", "conservative")
    ]
    alone = [compatsolver.plan(**each).to_dict() for each in asked]
    for cached in (load._read_once, formulate.layout_of, policy.newest_torch):
        cached.cache_clear()
    start = Barrier(8)

    def work(number: int) -> list[dict[str, Any]]:
        start.wait()
        shifted = asked[number:] + asked[:number]
        found = [compatsolver.plan(**each).to_dict() for each in shifted]
        return found[-number:] + found[:-number] if number else found

    with ThreadPoolExecutor(8) as pool:
        assert all(found == alone for found in pool.map(work, range(8)))


def test_a_notebook_shows_a_table() -> None:
    shown = compatsolver.plan(target=SERVER)._repr_markdown_()
    assert "| torch | 2.14.1 | cu126 |" in shown


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    compatsolver.plan(["torchvision", "nvitop"], target=SERVER)
    compatsolver.plan(gpu="RTX 9990", python="3.12", platform="linux-x86_64")
    assert capfd.readouterr() == ("", "")


def test_answers_and_errors_travel_between_processes() -> None:
    plan = compatsolver.plan(target=SERVER)
    assert pickle.loads(pickle.dumps(plan)) == plan
    with pytest.raises(compatsolver.NoSolution) as caught:
        compatsolver.resolve(gpu="V100", driver="595.71", python="3.12", platform="linux-x86_64")
    assert pickle.loads(pickle.dumps(caught.value)).plan == caught.value.plan


def test_another_package_runs() -> None:
    program = "import consumer; print(consumer.command_for('RTX 4090'))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=CONSUMER.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("pip install 'torch==2.14.1+cu126'")
    assert done.stderr == ""


def test_another_package_is_type_checked(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    wrong = CONSUMER.read_text(encoding="utf-8") + "\n\ncompatsolver.resolve(gpu=4090, polcy='newest')\n"
    (tmp_path / "right.py").write_text(CONSUMER.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    line = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    checked = {
        name: subprocess.run([*line, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        for name in ("right.py", "wrong.py")
    }
    assert checked["right.py"].returncode == 0, checked["right.py"].stdout
    assert 'expected "str | Sequence[str] | None"' in checked["wrong.py"].stdout
    assert 'Unexpected keyword argument "polcy"' in checked["wrong.py"].stdout
