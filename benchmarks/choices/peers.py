"""The peers: how each is asked, what it reads of a machine, and what it does not claim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from venv import EnvBuilder

from choices.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from choices.answers import Question

ASKING = Path(__file__).parent / "asking"
EVERYWHERE = ("linux-x86_64", "windows-x86_64", "linux-aarch64")


class Peer(NamedTuple):
    """A tool; `platforms` are those it claims to serve, `reads` the axes of a target that enter its choice."""

    name: str
    version: str
    asked: str
    reads: str
    platforms: tuple[str, ...]
    remark: str

    @property
    def script(self) -> Path:
        """The file that asks it."""
        return ASKING / f"{self.name.replace('-', '_')}.py"


PEERS = (
    Peer(
        "uv",
        "0.13.9",
        "`uv pip compile --torch-backend auto`, the driver by `UV_CUDA_DRIVER_VERSION`; its log names the indexes",
        "driver, platform, Python",
        EVERYWHERE,
        "Does not claim to read which NVIDIA GPU it is; chooses for torch and its siblings only.",
    ),
    Peer(
        "torchruntime",
        "2.24.0",
        "its PCI look-up and `get_torch_platform`, with system, machine and Python of the target",
        "GPU, platform, Python",
        EVERYWHERE,
        "Does not claim to read the driver. Chooses for AMD, Intel and Apple as well, which is most of its work.",
    ),
    Peer(
        "light-the-torch",
        "0.8.1",
        "its backends for the driver, and pip's choice among the published wheels as it patches it",
        "driver, platform, Python",
        ("linux-x86_64", "windows-x86_64"),
        "Does not claim to read the GPU, nor anything on Arm.",
    ),
    Peer(
        "rigsolve",
        "1.0.0",
        "`rigsolve solve --want torch --target …`, the GPU by name and by capability",
        "GPU, driver, Python, platform, glibc",
        ("linux-x86_64",),
        "Claims Linux on x86_64 alone. Its data are of 2026-08-15, so later releases cannot be in its answers.",
    ),
    Peer(
        "env-doctor",
        "0.3.5",
        "what `env-doctor install torch` prints for the driver, by the tables in the package",
        "driver",
        ("linux-x86_64", "windows-x86_64"),
        "A diagnosis of what is installed, first of all. Another of its commands checks the Python.",
    ),
)


def environment(directory: Path) -> Path:
    """The interpreter of a virtual environment with all peers, made where it is missing."""
    interpreter = directory / "bin" / "python"
    if not interpreter.exists():
        EnvBuilder(with_pip=True).create(directory)
        wanted = [f"{peer.name}=={peer.version}" for peer in PEERS]
        subprocess.run((str(interpreter), "-m", "pip", "install", "--quiet", *wanted), check=True)
    return interpreter


def ask(peer: Peer, interpreter: Path, questions: Sequence[Question]) -> list[Answer]:
    """What a peer answers to each question; raises CalledProcessError where it cannot be asked."""
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "questions.json"
        write_questions(file, questions)
        line = (str(interpreter), "-I", str(peer.script), str(file))
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True)
    return [Answer(tuple(entry["indexes"]), entry["version"]) for entry in json.loads(done.stdout)]


def write_questions(file: Path, questions: Sequence[Question]) -> None:
    """Write questions for the scripts that ask."""
    file.write_text(json.dumps([question._asdict() for question in questions]), encoding="utf-8")
