"""What each value of an axis assumes, stated once and put together for each combination.

A problem is laid out for a machine: platform, GPUs and Python, on which the markers of requirements depend as well.
What a driver, a CUDA runtime or a release adds to it is the same on each of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.catalog.hosts import placed, understand
from compatsolver.catalog.requirements import sort_out
from compatsolver.explanation.answer import asks_for_cpu
from compatsolver.model.request import Request, Requirement, Target
from compatsolver.observation.axes import read_axes
from compatsolver.solver.formulate import formulate
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Listing
    from compatsolver.solver.problem import Assumption

Values = dict[str, "str | None"]
"""A combination: axis → value, None where it was not given."""

MANY = "+"
"""Joins the GPUs of one machine in a value of their axis: T4+H100."""

MACHINE = ("platform", "gpu", "python")
"""The axes that a problem is laid out for."""

_TARGET = (*MACHINE, "driver")


class Stated(NamedTuple):
    """A combination as a problem; None where something is unknown about the values on the axes `unknown`."""

    host: Host
    problem: Problem | None
    unknown: tuple[str, ...] = ()


class Pieces:
    """States combinations, and keeps what they have in common.

    `requirements` are those of the machines, without repetition: one tuple, unless a marker tells machines apart.
    """

    def __init__(
        self, catalog: Catalog, listing: Callable[[Target], Listing], machines: Sequence[Values], glibc: str | None
    ) -> None:
        self.catalog = catalog
        self.glibc = glibc
        self._listing = lru_cache(maxsize=None)(listing)
        self.requirements = tuple(dict.fromkeys(self.request(values)[1].requirements for values in machines))
        self._machines = {self._key(values): self._formulated(values) for values in machines}
        self._numbers: dict[object, int] = {}
        self._machine_kinds: dict[tuple[str | None, ...], int] = {}
        self._added: dict[tuple[str, str], tuple[Host, tuple[Assumption, ...] | None]] = {}

    def request(self, values: Values) -> tuple[Host, Request]:
        """The combination as it would be asked by itself."""
        target = placed(self.catalog, self._target(values))
        listing = self._listing(Target(platform=target.platform, python=target.python))
        asked = sort_out(self.catalog, listing.requirements)
        pins = [_pin(name, version) for name, version in values.items() if version and name not in (*_TARGET, "cuda")]
        request = Request(
            target=target,
            requirements=(*asked.known, *pins),
            unchecked=asked.unchecked,
            cuda=values.get("cuda"),
            notes=(*listing.notes, *asked.notes, *asked.unchecked_notes),
        )
        return understand(self.catalog, target), request

    def stated(self, values: Values) -> Stated:
        """A combination, put together from the pieces of its values."""
        machine = self._machines[self._key(values)]
        if machine.problem is None:
            return machine
        host, assumptions = machine.host, machine.problem.assumptions
        for axis, value in values.items():
            if value is not None and axis not in MACHINE:
                there, added = self._piece(axis, value)
                if added is None:
                    return Stated(host, None, (axis,))
                assumptions += added
                if axis == "driver":
                    host = host._replace(driver=there.driver, driver_cuda=there.driver_cuda)
        return Stated(host, Problem(machine.problem.layout, assumptions))

    def kind(self, axis: str, value: str | None) -> int:
        """A number that values of an axis share which assume the same."""
        added = () if value is None else self._piece(axis, value)[1]
        return self._number(None if added is None else _meaning(added))

    def machine_kind(self, machine: tuple[str | None, ...]) -> int:
        """A number that machines share for which the problem is laid out alike and assumes the same."""
        if machine not in self._machine_kinds:
            problem = self._machines[machine].problem
            self._machine_kinds[machine] = self._number(problem and (problem.layout, _meaning(problem.assumptions)))
        return self._machine_kinds[machine]

    def _number(self, meaning: object) -> int:
        return self._numbers.setdefault(meaning, len(self._numbers))

    def axes_of(self, assumption: Assumption, values: Values) -> tuple[str, ...]:
        """The axes whose values in a combination make an assumption; none where it is made in all of them."""
        if assumption.origin == "gpu":
            return ("gpu", "platform")
        if assumption.origin in (*_TARGET, "cuda"):
            return (assumption.origin,)
        for axis, value in values.items():
            if value is not None and axis not in MACHINE and assumption in (self._piece(axis, value)[1] or ()):
                return (axis,)
        return () if len(self.requirements) == 1 else ("platform", "python")

    def _key(self, values: Values) -> tuple[str | None, ...]:
        return tuple(values[axis] for axis in MACHINE)

    def _piece(self, axis: str, value: str) -> tuple[Host, tuple[Assumption, ...] | None]:
        """What a value assumes beside the machine, read off the first machine that is known; None where it is not."""
        if (axis, value) not in self._added:
            machines = list(self._machines.items())
            key, machine = next((entry for entry in machines if entry[1].problem), machines[0])
            host, problem, _ = self._formulated({**dict(zip(MACHINE, key, strict=True)), axis: value})
            known = machine.problem.assumptions if machine.problem else ()
            added = [entry for entry in problem.assumptions if entry not in known] if problem else None
            self._added[axis, value] = host, None if added is None else tuple(added)
        return self._added[axis, value]

    def _formulated(self, values: Values) -> Stated:
        host, request = self.request(values)
        if asks_for_cpu(request):
            host = host._replace(gpus=())
        problem = formulate(self.catalog, host, request.requirements, request.cuda)
        return Stated(host, problem) if isinstance(problem, Problem) else Stated(host, None, MACHINE)

    def _target(self, values: Values) -> Target:
        gpu, platform = values["gpu"], values["platform"] or ""
        given: dict[str, Any] = {axis: values.get(axis) for axis in _TARGET}
        if gpu is not None:
            given["gpu"] = [name.strip() for name in gpu.split(MANY)]
        if platform.startswith("linux"):
            given["glibc"] = self.glibc
        return read_axes(given)


def _meaning(assumptions: Sequence[Assumption]) -> tuple[tuple[str, int], ...]:
    return tuple((entry.slot, entry.allowed) for entry in assumptions)


def _pin(name: str, version: str) -> Requirement:
    text = f"{name}=={version}"
    return Requirement(name=name, specifier=f"=={version}", text=text)
