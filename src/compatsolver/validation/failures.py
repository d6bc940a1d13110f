"""What a failing check means: its error goes through the same diagnosis as what people paste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.explanation.diagnosis.entrance import explain_given
from compatsolver.model.environment import Environment
from compatsolver.model.validation import FAILED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.validation import CheckResult


def diagnosed(catalog: Catalog, result: CheckResult, environment: Mapping[str, Any]) -> CheckResult:
    """The result with the diagnosis of what it printed; as it is where it did not fail."""
    if result.status != FAILED:
        return result
    text = "\n".join((result.output, *result.problems))
    return result._replace(diagnosis=explain_given(catalog, text, _document(environment)))


def _document(environment: Mapping[str, Any]) -> Environment:
    gpus = environment["gpus"]
    return Environment(
        gpu=tuple(f"{gpu['name']} ({gpu['compute_capability']})" for gpu in gpus) or None,
        driver=environment["driver"],
        os=environment["system"],
        arch=environment["machine"],
        python=environment["python"],
        glibc=environment["glibc"],
        packages=environment["packages"],
    )
