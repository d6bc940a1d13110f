"""What is known of a machine, in the words it was told in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from compatsolver.model.diagnosis import Finding
    from compatsolver.model.probed import Device, Library, Observed

SCHEMA = "compatsolver.environment/1"

_NOTHING: Mapping[str, str] = {}
_RECORDS = ("devices", "libraries", "observed", "findings")


class Environment(NamedTuple):
    """The environment document: what people write about a machine, or what was read from this one.

    None is "not given". `gpu` is one text per kind of GPU and empty where the machine has none; other texts stay as
    they were written. `packages` are versions as pip prints them, `env` environment variables. `not_understood` names
    the key and what was odd about it, as in "driver: no version in 'latest'".

    Only a machine that was read has the last four: its GPUs one by one, the CUDA libraries in the order in which the
    loader finds them, every fact with how it was got, and what does not agree.
    """

    gpu: tuple[str, ...] | None = None
    compute_capability: tuple[str, ...] | None = None
    driver: str | None = None
    nvidia_smi_cuda: str | None = None
    kernel_module: str | None = None
    os: str | None = None
    arch: str | None = None
    wsl: bool | str | None = None
    container: str | None = None
    python: str | None = None
    glibc: str | None = None
    packages: Mapping[str, str] = _NOTHING
    nvcc: str | None = None
    gcc: str | None = None
    env: Mapping[str, str] = _NOTHING
    not_understood: tuple[str, ...] = ()
    devices: tuple[Device, ...] = ()
    libraries: tuple[Library, ...] = ()
    observed: tuple[Observed, ...] = ()
    findings: tuple[Finding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The document: the keys that were given, in the published order, as plain lists, dicts and texts."""
        document: dict[str, Any] = {"schema": SCHEMA} if self.observed else {}
        for key, value in self._asdict().items():
            if key in _RECORDS:
                if value:
                    document[key] = [entry.to_dict() for entry in value]
            elif isinstance(value, tuple):
                if value or key == "gpu":
                    document[key] = list(value)
            elif isinstance(value, Mapping):
                if value:
                    document[key] = dict(value)
            elif value is not None:
                document[key] = value
        return document
