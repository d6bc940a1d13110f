"""Diagnosing in tests: a paste and an environment, read and evaluated by the bundled catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from compatsolver.explanation.diagnosis.findings import diagnose
from compatsolver.explanation.fixes.stack import joined
from compatsolver.observation.described import observations_of
from compatsolver.observation.environment import read_environment
from compatsolver.observation.pasted.read import read_pasted

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis


@pytest.fixture(scope="session")
def explained(catalog: Catalog) -> Callable[..., Diagnosis]:
    def explained(text: str | bytes = "", **environment: Any) -> Diagnosis:
        document = yaml.safe_dump(environment, allow_unicode=True)
        described = [observations_of(read_environment(document, "environment"))] if environment else []
        return diagnose(catalog, joined(*described, read_pasted(text)))

    return explained
