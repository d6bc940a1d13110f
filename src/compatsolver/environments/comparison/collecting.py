"""The commands that make a document on every node of a job. They are printed for people to run, and never run here.

Each writes one file a node, named after it, into one folder: standard output of several nodes at once would mix.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from compatsolver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

SLURM, MPI, KUBERNETES, SSH = "slurm", "mpi", "kubernetes", "ssh"
WAYS = (SLURM, MPI, KUBERNETES, SSH)
FOLDER = "nodes"
PROBE = "compatsolver probe --format json"
_ON_THE_NODE = shlex.quote(f'{PROBE} > "{FOLDER}/$(uname -n).json"')
_SHARED = "run it inside the allocation, in a folder that all nodes share"


def collecting(way: str, named: Sequence[str] = ()) -> tuple[str, ...]:
    """Shell lines for a way to reach the nodes: make a folder, fill it, compare.

    `named` are the hosts for ssh, for Kubernetes pods or one label selector (`job-name=train`); the others know their
    nodes. Raises InputError where names are missing, or given to those, or begin with a dash.
    """
    line = {SLURM: _slurm, MPI: _mpi, KUBERNETES: _kubernetes, SSH: _ssh}[way](_checked(way, named))
    return f"mkdir -p {FOLDER}", line, f"compatsolver compare {FOLDER}/*.json"


def _checked(way: str, named: Sequence[str]) -> Sequence[str]:
    if way in (SLURM, MPI) and named:
        raise InputError(f"{way} knows its nodes, and {named[0]!r} is named beside it", hint=_SHARED)
    if way == SSH and not named:
        raise InputError("no host is named for ssh", hint="name them: --collect ssh node1 node2")
    if way == KUBERNETES and not named:
        raise InputError("no pod is named", hint="name pods or a label: --collect kubernetes job-name=train")
    for name in named:
        if name.startswith("-") or not name.isprintable() or "/" in name:
            raise InputError(f"{name!r} is no name of a node", hint="name hosts or pods as the tool takes them")
    return named


def _slurm(_: Sequence[str]) -> str:
    return f'srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 sh -c {_ON_THE_NODE}'


def _mpi(_: Sequence[str]) -> str:
    return f"mpirun --map-by ppr:1:node sh -c {_ON_THE_NODE}"


def _kubernetes(named: Sequence[str]) -> str:
    if any("=" in name for name in named):
        if len(named) > 1:
            raise InputError("a label selector and other names were given", hint="join labels by commas: a=1,b=2")
        pods = f"$(kubectl get pods --selector={shlex.quote(named[0])} --output=name)"
    else:
        pods = " ".join(shlex.quote(name) for name in named)
    return f'for pod in {pods}; do kubectl exec "$pod" -- {PROBE} > "{FOLDER}/${{pod##*/}}.json"; done'


def _ssh(named: Sequence[str]) -> str:
    hosts = " ".join(shlex.quote(name) for name in named)
    return f'for host in {hosts}; do ssh -n -- "$host" {shlex.quote(PROBE)} > "{FOLDER}/$host.json"; done'
