"""What was read from a machine: facts with how each was got, its GPUs, and the libraries its loader would find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.model.component import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable


class Observed(NamedTuple):
    """One value of an axis of `observation.AXES`, and `how` it was got: the function, command or file.

    `none` is absent: it was looked for and is not there. None is unknown: it could not be read, and `how` says why.
    """

    axis: str
    value: str | None
    how: str

    def to_dict(self) -> dict[str, Any]:
        """The row as the document has it."""
        return self._asdict()


class Device(NamedTuple):
    """One GPU as the driver lists it. None is "not told" throughout.

    `memory` is in MiB. `mig` is `enabled` or `disabled`, and `slices` are the MIG devices made of it, as in `3g.40gb`.
    `virtualization` is `passthrough`, `vgpu` or `vgpu host`; `fabric` the state of its NVSwitch fabric. `problem` is
    what the driver answered where it lists the GPU and cannot speak to it.
    """

    name: str | None = None
    compute_capability: str | None = None
    memory: int | None = None
    uuid: str | None = None
    mig: str | None = None
    slices: tuple[str, ...] = ()
    virtualization: str | None = None
    fabric: str | None = None
    problem: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """What is told, in the published order of keys."""
        fields = self._asdict() | {"slices": list(self.slices)}
        return {key: value for key, value in fields.items() if value not in (None, [])}


class Library(NamedTuple):
    """A shared library of CUDA: its `name` as it is asked for, the `origin` of its folder, and its `path`.

    `origin` is `LD_LIBRARY_PATH`, `conda`, `system`, or `wheel NAME`, where NAME is the folder of the package.
    """

    name: str
    origin: str
    path: str

    def to_dict(self) -> dict[str, Any]:
        """The row as the document has it."""
        return self._asdict()


def first_of(axis: str, rows: Iterable[Observed]) -> str | None:
    """The first value that some source told for an axis; None where all of them are silent or say there is none."""
    return next((row.value for row in rows if row.axis == axis and row.value not in (None, NONE)), None)


def is_unknown(axis: str, rows: Iterable[Observed]) -> bool:
    """Whether the axis was asked for and no source could tell it, not even that there is none."""
    values = {row.value for row in rows if row.axis == axis}
    return values == {None}


def is_told_by_driver(rows: Iterable[Observed]) -> bool:
    """Whether NVML or nvidia-smi listed the GPUs, and not the kernel or a board's name in their place."""
    return any(row.axis == "device_count" and row.how.startswith(("NVML", "nvidia-smi")) for row in rows)
