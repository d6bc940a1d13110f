"""What would decide where the facts do not: one or two facts, each with the command that gets it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.diagnosis import ERROR, NONE_BROKEN
from compatsolver.model.resolution import Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.diagnosis.symptoms import Hit
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.diagnosis import Finding
    from compatsolver.model.rule import Unknown

MOST_QUESTIONS = 4
_LOOKED_AT = 100_000
"""Characters at either end of a text in which a failure is looked for: it is told first or last."""
_FAILURE = re.compile(
    r"\b\w*(?:error|exception)\b|traceback|\bfail(?:ed|s|ure)?\b|\bfatal\b|\bcannot\b|\bcan.?t\b|\bunable\b"
    r"|\baborted\b|core dumped|segmentation fault|\bcrash|not work|doesn.?t work|报错|失败|错误|无法|不能",
    re.IGNORECASE,
)
_COLLECT_ENV = "python -m torch.utils.collect_env"


def questions(
    catalog: Catalog, stack: Stack, findings: Sequence[Finding], hits: Sequence[Hit], unknown: Sequence[Unknown]
) -> tuple[Missing, ...]:
    """The facts to ask for: of open symptoms, unknown rows, GPUs not understood; else of a failure unexplained."""
    if any(finding.severity == ERROR for finding in findings):
        return ()
    asked = [question for hit in hits for question in hit.asks()]
    asked += [Missing(fact=entry.fact, why=entry.why, how=entry.how) for entry in unknown]
    asked += [_capability(catalog, name) for name in stack.ambiguous]
    innocent = any(finding.kind == NONE_BROKEN for finding in findings)
    if not asked and not innocent:
        asked = _unexplained(stack)
    return tuple(dict.fromkeys(asked))[:MOST_QUESTIONS]


def _capability(catalog: Catalog, name: str) -> Missing:
    return Missing(
        fact=f"compute capability of {name}",
        why=f"the catalogue of {catalog.horizon} does not tell which GPU that is",
        how="nvidia-smi --query-gpu=name,compute_cap --format=csv",
    )


def _unexplained(stack: Stack) -> list[Missing]:
    text = stack.reading.text
    failure = _FAILURE.search(text[-_LOOKED_AT:]) or _FAILURE.search(text[:_LOOKED_AT])
    if failure is None and (stack.torch or stack.tag or stack.packages or (stack.gpus and stack.driver)):
        return []
    asked = []
    if failure is not None:
        asked.append(
            Missing(
                fact="the whole error message, from the first line of the traceback to the last",
                why="the failure that is mentioned matches no known symptom",
                how="run the command again and paste its whole output",
            )
        )
    if not (stack.torch or stack.tag):
        asked.append(
            Missing(fact="torch.__version__ and its build", why="no version of torch was read", how=_COLLECT_ENV)
        )
    if not stack.gpus and not stack.driver:
        asked.append(
            Missing(
                fact="the GPU and its driver",
                why="neither was read",
                how="nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv",
            )
        )
    return asked or [Missing(fact="the whole environment", why="it may hold what was not told", how=_COLLECT_ENV)]
