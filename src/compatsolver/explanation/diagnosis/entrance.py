"""The bodies of the verbs `explain` and `check`: what was given is read, put together and diagnosed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis.findings import diagnose
from compatsolver.explanation.fixes.stack import joined
from compatsolver.model.environment import Environment
from compatsolver.model.request import Target

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis
    from compatsolver.model.observation import Reading

_EMPTY = (b"", b"{}", b"---")
_NO_FLAGS = Target()


def explain_given(
    catalog: Catalog,
    text: str | bytes | None,
    environment: Environment | str | Path | None,
    flags: Target = _NO_FLAGS,
) -> Diagnosis:
    """Diagnose a text, an environment (a document, its file) over which `flags` win, all of them, or this machine."""
    readings = []
    if environment is None and text is None and flags == _NO_FLAGS:
        from compatsolver.observation.live.collect import probe

        environment = probe()
    if environment is not None or flags != _NO_FLAGS:
        readings.append(_described(environment, flags, beside_a_text=text is not None))
    if text is not None:
        from compatsolver.observation.pasted.read import read_pasted

        readings.append(read_pasted(text))
    return diagnose(catalog, joined(*readings))


def _described(environment: Environment | str | Path | None, flags: Target, *, beside_a_text: bool) -> Reading:
    """What an environment says; beside a text a document without keys is allowed, since all of them are optional."""
    from compatsolver.observation.described import observations_of
    from compatsolver.observation.environment import load_environment
    from compatsolver.observation.precedence import overridden

    if environment is None or isinstance(environment, Environment):
        return observations_of(overridden(flags, environment or Environment()))
    path = Path(environment)
    is_empty = path.is_file() and path.stat().st_size < 10 and path.read_bytes().strip() in _EMPTY
    document = Environment() if beside_a_text and is_empty else load_environment(path)
    return observations_of(overridden(flags, document))
