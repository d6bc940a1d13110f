"""A matrix for GitHub Actions: `strategy: {matrix: ${{ fromJSON(…) }}}` takes it as it is.

Each cell is one object under `include`, so that nothing is multiplied. What it cannot express: cells beyond GitHub's
limits, which are refused here because the workflow would only fail there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from compatsolver.emitters.matrices.rows import row_of
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from compatsolver.model.cell import Matrix

MOST_JOBS = 256
"""Jobs that one matrix may make: GitHub, "Running variations of jobs in a workflow"."""

MOST_BYTES = 1_000_000
"""Size of a job's outputs, through which a matrix travels: 1 MB, counted in UTF-16 (GitHub, workflow syntax)."""


def render(matrix: Matrix) -> str:
    """One line of JSON; raises InputError where GitHub would refuse it."""
    if len(matrix) > MOST_JOBS:
        raise InputError(
            f"GitHub runs at most {MOST_JOBS} jobs of a matrix, and this one has {len(matrix)}",
            hint=f"--max-cells {MOST_JOBS} keeps those that tell most",
        )
    text = json.dumps({"include": [row_of(cell) for cell in matrix]}, ensure_ascii=False)
    if len(text.encode("utf-16-le")) > MOST_BYTES:
        raise InputError(
            f"the matrix has {len(text)} characters, more than the 1 MB that the outputs of a GitHub job may have",
            hint="--max-cells keeps fewer",
        )
    return text + "\n"
