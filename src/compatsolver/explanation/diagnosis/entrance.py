"""The bodies of the verbs `explain` and `check`: what was given is read, put together and diagnosed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis.findings import diagnose
from compatsolver.explanation.fixes.stack import joined
from compatsolver.model.environment import Environment
from compatsolver.model.observation import Reading

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis

_EMPTY = (b"", b"{}", b"---")


def explain_given(
    catalog: Catalog, text: str | bytes | None, environment: Environment | str | Path | None
) -> Diagnosis:
    """Diagnose a text, an environment (a document, its file), both together, or this machine where neither is given."""
    readings = []
    if environment is None and text is None:
        from compatsolver.observation.live.collect import probe

        environment = probe()
    if environment is not None:
        readings.append(_described(environment, beside_a_text=text is not None))
    if text is not None:
        from compatsolver.observation.pasted.read import read_pasted

        readings.append(read_pasted(text))
    return diagnose(catalog, joined(*readings))


def _described(environment: Environment | str | Path, *, beside_a_text: bool) -> Reading:
    """What an environment says; beside a text a document without keys is allowed, since all of them are optional."""
    from compatsolver.observation.described import observations_of
    from compatsolver.observation.environment import load_environment

    if isinstance(environment, Environment):
        return observations_of(environment)
    path = Path(environment)
    if beside_a_text and path.is_file() and path.stat().st_size < 10 and path.read_bytes().strip() in _EMPTY:
        return Reading()
    return observations_of(load_environment(path))
