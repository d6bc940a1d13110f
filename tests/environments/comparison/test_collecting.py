"""The commands that collect documents, run by a shell against stand-ins for the tools that reach nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from compatsolver.environments.comparison.collecting import WAYS, collecting
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")

ON_TWO_NODES = 'while [ "${1#-}" != "$1" ]; do shift; done\nfor NODE in a b; do NODE=$NODE "$@"; done\n'
TOOLS = {
    "srun": '[ "$1" = --nodes=2 ] || exit 9\n' + ON_TWO_NODES,
    "mpirun": '[ "$1 $2" = "--map-by ppr:1:node" ] || exit 9\nshift 2\n' + ON_TWO_NODES,
    "ssh": '[ "$1 $2" = "-n --" ] || exit 9\nNODE=$3 sh -c "$4"\n',
    "kubectl": """case "$1" in
get) [ "$3" = "--selector=$SELECTOR" ] || exit 9; echo pod/worker-0; echo pod/worker-1;;
exec) NODE=$2; shift 3; NODE=$NODE "$@";;
esac
""",
    "uname": 'echo "$NODE"\n',
    "compatsolver": """case "$*" in
"probe --format json") printf '{"container": "%s"}' "$NODE";;
compare*) shift; echo compared "$@";;
esac
""",
}


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder with the stand-ins first on the path of `run`."""
    (tmp_path / "bin").mkdir()
    for name, script in TOOLS.items():
        tool = tmp_path / "bin" / name
        tool.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        tool.chmod(0o755)
    (tmp_path / "work").mkdir()
    return tmp_path


def run(shell: Path, lines: tuple[str, ...], **variables: str) -> dict[str, str]:
    """Run the lines as they are printed; the documents by the names of their files."""
    environment = {**os.environ, "PATH": f"{shell / 'bin'}:{os.environ['PATH']}", **variables}
    done = subprocess.run(
        ["sh", "-e"],
        input="\n".join(lines) + "\n",
        cwd=shell / "work",
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    made = sorted((shell / "work" / "nodes").iterdir())
    assert done.stdout.strip() == "compared " + " ".join(f"nodes/{path.name}" for path in made)
    return {path.name: path.read_text(encoding="utf-8") for path in made}


@pytest.mark.parametrize(
    ("way", "variables"), [("slurm", {"SLURM_JOB_NUM_NODES": "2"}), ("mpi", {})], ids=["slurm", "mpi"]
)
def test_launchers_write_one_document_a_node(shell: Path, way: str, variables: dict[str, str]) -> None:
    made = run(shell, collecting(way), **variables)
    assert made == {"a.json": '{"container": "a"}', "b.json": '{"container": "b"}'}


def test_hosts_are_asked_over_ssh_whatever_their_names_hold(shell: Path) -> None:
    made = run(shell, collecting("ssh", ["node1", "me@it's $(two)"]))
    assert made == {
        "me@it's $(two).json": '{"container": "me@it\'s $(two)"}',
        "node1.json": '{"container": "node1"}',
    }


def test_pods_are_asked_by_name_or_by_label(shell: Path) -> None:
    selector = "app=train,role in (worker, 'it')"
    made = run(shell, collecting("kubernetes", [selector]), SELECTOR=selector)
    assert made == {f"worker-{n}.json": f'{{"container": "pod/worker-{n}"}}' for n in (0, 1)}
    assert "lone.json" in run(shell, collecting("kubernetes", ["lone"]))


@pytest.mark.parametrize(
    ("way", "named", "says"),
    [
        ("ssh", [], "no host"),
        ("kubernetes", [], "no pod"),
        ("slurm", ["node1"], "knows its nodes"),
        ("mpi", ["node1"], "knows its nodes"),
        ("ssh", ["-oProxyCommand=x"], "no name of a node"),
        ("ssh", ["a/b"], "no name of a node"),
        ("ssh", ["a\nb"], "no name of a node"),
        ("kubernetes", ["a=b", "pod"], "label selector and other names"),
    ],
)
def test_what_would_not_run_is_not_printed(way: str, named: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        collecting(way, named)
    assert refused.value.hint


def test_every_way_makes_a_folder_and_compares(shell: Path) -> None:
    named = {"ssh": ["node1"], "kubernetes": ["pod-0"]}
    for way in WAYS:
        first, _, last = collecting(way, named.get(way, ()))
        assert (first, last) == ("mkdir -p nodes", "compatsolver compare nodes/*.json")
