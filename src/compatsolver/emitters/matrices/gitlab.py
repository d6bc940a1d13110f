"""A matrix for GitLab: a hidden job to `extends`, with `parallel: matrix:`.

A variable is a text in capitals. What it cannot express: cells beyond the number that GitLab runs of one job.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from compatsolver.emitters.matrices.rows import row_of
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from compatsolver.model.cell import Matrix

MOST_JOBS = 200
"""Jobs of one `parallel:matrix`: GitLab, CI/CD YAML syntax reference."""

JOB = ".compatsolver"


def render(matrix: Matrix) -> str:
    """YAML; raises InputError where GitLab would refuse it."""
    if len(matrix) > MOST_JOBS:
        raise InputError(
            f"GitLab runs at most {MOST_JOBS} jobs of a matrix, and this one has {len(matrix)}",
            hint=f"--max-cells {MOST_JOBS} keeps those that tell most",
        )
    cells = [{key.upper().replace("-", "_"): value for key, value in row_of(cell).items()} for cell in matrix]
    job = {JOB: {"parallel": {"matrix": cells}}}
    return yaml.safe_dump(job, sort_keys=False, allow_unicode=True, width=10_000)
