"""A process that solves for packages from a conda channel on disk: `python conda_solve.py CHANNEL PACKAGE…`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from rattler import Channel, SparseRepoData, solve_with_sparse_repodata

directory = Path(sys.argv[1])
index = SparseRepoData(Channel(directory.as_uri()), "noarch", directory / "noarch" / "repodata.json")
for record in asyncio.run(solve_with_sparse_repodata(sys.argv[2:], [index])):
    print(record.name.normalized, record.version)
sys.stdout.flush()
os._exit(0)  # threads of py-rattler 0.28 outlive the interpreter otherwise, and every third process ends in a crash
