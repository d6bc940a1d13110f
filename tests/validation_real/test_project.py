"""A project that `init` started: set up, and trained on the CPU build of torch, alone and with two processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from loopback import Listed, running

if TYPE_CHECKING:
    from collections.abc import Iterator

TORCH = os.environ.get("TORCH", "torch==2.13.0")
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
COMPATSOLVER = Path(sys.executable).with_name("compatsolver")
MEMORY_GIB = 0.5


def run(*words: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without uv on the PATH."""
    environment = {**os.environ, "PATH": "/usr/bin:/bin", "PYTHON": sys.executable, **variables}
    return subprocess.run(
        [*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=1800, check=False
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ...]]:
    """Flags for PyTorch's index: none, or those of one on loopback where pip itself finds a CPU build of torch."""
    folder = tmp_path_factory.mktemp("torch")
    line = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", str(folder)]
    subprocess.run([*line, TORCH], check=False, capture_output=True, timeout=900)
    wheels = [*folder.glob("torch-*+cpu-*.whl")]
    if not wheels:
        yield ()
        return
    with running() as loopback:
        loopback.serve("whl/cpu", [Listed(wheel.name, wheel.read_bytes(), "torch") for wheel in wheels])
        yield "--pytorch-index-url", f"{loopback.address}/whl"


@pytest.fixture(scope="module")
def project(index: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was started and set up."""
    folder = tmp_path_factory.mktemp("projects")
    target = ("--gpu", "none", "--python", PYTHON)
    started = run(COMPATSOLVER, "init", "first", TORCH, *target, *index, cwd=folder)
    assert started.returncode == 0, started.stdout + started.stderr
    made = run("sh", "first/setup.sh", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "first"


def train(project: Path, *flags: str) -> str:
    """What a training run that ends well prints."""
    done = run(".venv/bin/python", "train_lora.py", *flags, cwd=project)
    assert done.returncode == 0, done.stderr
    return done.stdout


def metrics(project: Path, out: str) -> list[dict[str, Any]]:
    """The lines of a run."""
    return [json.loads(line) for line in (project / out / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


def losses(project: Path, out: str) -> list[float]:
    """The loss of each step, every step of which has a line in its place."""
    lines = metrics(project, out)
    assert [line["step"] for line in lines] == list(range(1, len(lines) + 1))
    return [line["loss"] for line in lines]


def test_setting_up_again_does_nothing(project: Path) -> None:
    again = run("sh", "setup.sh", cwd=project)
    assert (again.returncode, again.stdout) == (0, "setup: .venv holds what is locked\n")


def test_the_smoke_test_passes_and_notices_another_version(project: Path) -> None:
    assert run(".venv/bin/python", "smoke_test.py", cwd=project).stdout.endswith("passed\n")
    locked = project / "requirements.txt"
    text = locked.read_text(encoding="utf-8")
    locked.write_text(re.sub(r"^tqdm==\S+", "tqdm==0.1", text, flags=re.MULTILINE), encoding="utf-8")
    done = run(".venv/bin/python", "smoke_test.py", cwd=project)
    locked.write_text(text, encoding="utf-8")
    assert done.returncode == 1
    assert "locked 0.1" in done.stdout


def test_the_loss_falls_and_is_drawn(project: Path) -> None:
    train(project, "--out", "runs/plain")
    found = losses(project, "runs/plain")
    assert len(found) == 100
    assert found[-1] < found[0] / 2
    root = ElementTree.parse(project / "runs/plain/loss.svg").getroot()
    lines = [line.get("points", "").split() for line in root if line.tag.endswith("polyline")]
    assert [len(points) for points in lines] == [100, 100]


def test_a_resumed_run_goes_on_as_if_nothing_had_happened(project: Path) -> None:
    short = ("--save-every", "5")
    train(project, "--out", "runs/whole", "--steps", "16", *short)
    train(project, "--out", "runs/parts", "--steps", "8", *short)
    train(project, "--out", "runs/parts", "--steps", "16", "--resume", *short)
    assert losses(project, "runs/parts") == losses(project, "runs/whole")


def test_steps_after_the_last_checkpoint_are_taken_again(project: Path) -> None:
    train(project, "--out", "runs/killed", "--steps", "4")
    path = project / "runs/killed/metrics.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + '{"step": 5, "loss": 0.1}\n{"step": 6, "lo', encoding="utf-8")
    train(project, "--out", "runs/killed", "--steps", "6", "--resume")
    assert (project / "runs/killed/metrics.jsonl").read_text(encoding="utf-8").startswith(text)
    assert 0.1 not in losses(project, "runs/killed")
    assert len(losses(project, "runs/killed")) == 6


def test_a_run_is_not_overwritten(project: Path) -> None:
    train(project, "--out", "runs/kept", "--steps", "2")
    done = run(".venv/bin/python", "train_lora.py", "--out", "runs/kept", cwd=project)
    assert done.returncode == 1
    assert "--resume goes on with it" in done.stderr
    assert len(losses(project, "runs/kept")) == 2
    other = run(".venv/bin/python", "train_lora.py", "--out", "runs/kept", "--resume", "--rank", "4", cwd=project)
    assert (other.returncode, "--rank 8" in other.stderr) == (1, True)


def test_two_processes_train_together_and_resume(project: Path) -> None:
    line = (".venv/bin/torchrun", "--nproc-per-node=2", "train_lora.py", "--out", "runs/two", "--batch", "4")
    first = run(*line, "--steps", "20", cwd=project)
    assert first.returncode == 0, first.stderr
    second = run(*line, "--steps", "24", "--resume", cwd=project)
    assert second.returncode == 0, second.stderr
    assert "2 × cpu in fp32, from step 20" in second.stdout
    train(project, "--out", "runs/one", "--batch", "8", "--steps", "24")
    assert losses(project, "runs/two") == pytest.approx(losses(project, "runs/one"), rel=1e-3)


def test_a_model_and_texts_of_ones_own(project: Path) -> None:
    make = (
        "from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast\n"
        "from tokenizers import Tokenizer, models, pre_tokenizers\n"
        "words = {'[UNK]': 0, '</s>': 1, 'one': 2, 'two': 3, 'three': 4}\n"
        "tokenizer = Tokenizer(models.WordLevel(words, unk_token='[UNK]'))\n"
        "tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()\n"
        "PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token='</s>').save_pretrained('own')\n"
        "LlamaForCausalLM(LlamaConfig(vocab_size=8, hidden_size=32, intermediate_size=64, num_hidden_layers=1,"
        " num_attention_heads=2)).save_pretrained('own')\n"
    )
    made = run(".venv/bin/python", "-c", make, cwd=project)
    assert made.returncode == 0, made.stderr
    records = [{"text": "one two three"}, {"prompt": "one two", "completion": " three"}] * 20
    (project / "own.json").write_text(json.dumps(records), encoding="utf-8")
    (project / "own.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    flags = ("--model", "own", "--sequence", "8", "--steps", "4", "--learning-rate", "1e-2")
    for name in ("own.json", "own.jsonl"):
        train(project, *flags, "--data", name, "--out", f"runs/{name}")
    assert losses(project, "runs/own.json") == losses(project, "runs/own.jsonl")
    (project / "wrong.jsonl").write_text('{"text": "one"}\n{"texts": 1}\n', encoding="utf-8")
    done = run(".venv/bin/python", "train_lora.py", "--data", "wrong.jsonl", "--out", "runs/wrong", cwd=project)
    assert (done.returncode, "wrong.jsonl, record 2" in done.stderr) == (1, True)


def test_the_largest_batch_fits_and_the_next_does_not(project: Path) -> None:
    flags = ("--sequence", "512", "--memory", str(MEMORY_GIB))
    done = run(".venv/bin/python", "train_lora.py", "--find-batch", *flags, cwd=project, COMPATSOLVER=str(COMPATSOLVER))
    assert done.returncode == 0, done.stderr
    *tries, last, _ = done.stdout.splitlines()
    outcomes = {int(line.split()[1].rstrip(":")): "fits" in line for line in tries}
    found = re.match(r"largest batch that fits: (\d+); peak ([\d.]+) GiB, estimate ([\d.]+) GiB", last)
    assert found, last
    largest, peak, estimate = int(found[1]), float(found[2]), float(found[3])
    assert outcomes[largest]
    assert not outcomes[largest + 1]
    assert peak <= 1.1 * MEMORY_GIB  # pages of libraries are counted that are first touched in training
    assert estimate == pytest.approx(peak, rel=0.3)


def test_a_batch_that_cannot_fit_and_a_fault_are_told_apart(project: Path) -> None:
    line = (".venv/bin/python", "train_lora.py", "--find-batch")
    none = run(*line, "--memory", "0.001", cwd=project)
    assert (none.returncode, none.stdout.splitlines()[-1]) == (1, "not even a batch of one sequence fits")
    fault = run(*line, "--adapt", "no_such_layer", cwd=project)
    assert fault.returncode == 1
    assert "failed, and not for lack of memory" in fault.stderr
