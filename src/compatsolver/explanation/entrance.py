"""The bodies of the verbs `explain` and `check`: what was given is read, put together and diagnosed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis import diagnose
from compatsolver.explanation.stack import joined
from compatsolver.model.environment import Environment

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis
    from compatsolver.model.observation import Reading


def explain_given(
    catalog: Catalog, text: str | bytes | None, environment: Environment | str | Path | None
) -> Diagnosis:
    """Diagnose a text, an environment (a document, its file), both together, or this machine where neither is given."""
    readings = []
    if environment is None and text is None:
        from compatsolver.observation.live.collect import probe

        environment = probe()
    if environment is not None:
        readings.append(_described(environment))
    if text is not None:
        from compatsolver.observation.pasted.read import read_pasted

        readings.append(read_pasted(text))
    return diagnose(catalog, joined(*readings))


def _described(environment: Environment | str | Path) -> Reading:
    from compatsolver.observation.described import observations_of
    from compatsolver.observation.environment import load_environment

    if isinstance(environment, Environment):
        return observations_of(environment)
    return observations_of(load_environment(Path(environment)))
