"""The packages that the catalogue governs, as the closure sees them: what it allows on the target, in which order.

The rules between them enter as requirements: a candidate of one package narrows the others to what unit propagation
leaves of them. What comes out is certified like any plan.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from packaging.version import Version

from compatsolver.emitters.uv import PYTORCH_INDEX
from compatsolver.locking.wanted import Wanted
from compatsolver.model.component import NONE
from compatsolver.solver.certify import Solved, solve
from compatsolver.solver.policy import newest
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import propagated

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Request
    from compatsolver.model.resolution import Pin
    from compatsolver.solver.search import Ranking


class Stack:
    """The governed packages of one problem and the certified pins it starts from.

    `primary` is the index that serves torch's default builds, `pytorch` the address that stands for PyTorch's own.
    `beside` names packages that have a place in the problem and no pin.
    """

    def __init__(
        self,
        catalog: Catalog,
        host: Host,
        request: Request,
        problem: Problem,
        pins: Sequence[Pin],
        primary: str,
        pytorch: str = PYTORCH_INDEX,
        beside: Collection[str] = (),
    ) -> None:
        self._catalog = catalog
        self._problem = problem
        self._primary = primary
        self._pytorch = pytorch.rstrip("/")
        self._pins = {pin.name: pin for pin in pins}
        self._ranking = ranking_of(catalog, host, request, problem)
        self._narrowed: dict[tuple[str, int], list[int] | None] = {}
        self._ordered: dict[str, tuple[int, ...]] = {}
        self._network = problem.layout.guarded
        self.names = tuple(name for name in problem.layout.packages if name in self._pins or name in beside)

    @cached_property
    def _domains(self) -> list[int]:
        layout = self._problem.layout
        return propagated(self._network, self._problem.domains()) or [0] * len(layout.slots)

    def positions(self, name: str) -> tuple[int, ...]:
        """The candidates that the target allows, the one of the certified plan first, then as the policy ranks them."""
        if name not in self._ordered:
            candidates = self._problem.layout.components[name].candidates
            number = self._problem.layout.numbers[name]
            pin = self._pins.get(name)
            ranked = [row for row in self._ranking(number, self._domains[number]) if candidates[row].version != NONE]
            ranked.sort(key=lambda row: not (pin and candidates[row][:2] == (pin.version, pin.build)))
            self._ordered[name] = tuple(ranked)
        return self._ordered[name]

    def spelling(self, name: str, position: int) -> tuple[Version, str | None] | None:
        """The version and index of a torch candidate; other packages have their version, and None for any index.

        None where no index is known to serve the build.
        """
        candidate = self._problem.layout.components[name].candidates[position]
        if name != "torch":
            return Version(candidate.version), None
        build = self._catalog.build(position)
        if build.default_index and not self._local_typed:
            return Version(candidate.version), self._primary
        return (Version(candidate.spelling), self._address(build.index)) if build.index else None

    def follows_torch(self, name: str) -> bool:
        """Whether a package is built along with torch and served by the same index."""
        return bool(self._catalog.payload["paired"].get(name) == "torch")

    def demands(self, name: str, position: int) -> list[Wanted] | None:
        """What a candidate leaves of the other governed packages; None where it cannot be part of any plan."""
        domains = self._narrow(name, position)
        if domains is None:
            return None
        numbers = self._problem.layout.numbers
        by = f"{name} {self._problem.layout.components[name].candidates[position].spelling}"
        found = [
            Wanted(other, text=f"{other} as the catalogue allows it", by=by, allowed=domains[numbers[other]])
            for other in self.names
            if other != name
        ]
        spelled = self.spelling(name, position) if name == "torch" else None
        if spelled and spelled[1]:
            source = (spelled[1], spelled[0].local)
            found = [row._replace(source=source) if self.follows_torch(row.name) else row for row in found]
        return found

    def relaxed(self) -> Stack:
        """The same stack under the rules alone that are known to hold: what it forbids is impossible for certain."""
        other = copy(self)
        other.__dict__.pop("_domains", None)
        other._narrowed = {}
        other._ordered = {}
        other._network = self._problem.layout.certain
        return other

    def certify(self, chosen: Mapping[str, int]) -> bool:
        """Whether the chosen candidates are part of a plan that breaks no rule (by the solver and its check)."""
        slots = self._problem.layout.components
        pinned = [
            Assumption(name, 1 << place, f"{name} {slots[name].candidates[place].spelling}", "requirement")
            for name, place in chosen.items()
        ]
        return isinstance(solve(Problem(self._problem.layout, (*self._problem.assumptions, *pinned))), Solved)

    def words(self, name: str, position: int) -> str:
        """A candidate as a message names it."""
        return f"{name} {self._problem.layout.components[name].candidates[position].spelling}"

    @cached_property
    def _local_typed(self) -> bool:
        torch = self._pins["torch"]
        position = self.positions("torch")[0]
        return bool(torch.index) and self._catalog.build(position).default_index

    def _address(self, index: str) -> str:
        """An index of PyTorch's, or the same folder of its mirror."""
        address = self._pytorch + index.removeprefix(PYTORCH_INDEX) if index.startswith(PYTORCH_INDEX) else index
        return address if address.endswith("/") else f"{address}/"

    def _narrow(self, name: str, position: int) -> list[int] | None:
        key = (name, position)
        if key not in self._narrowed:
            layout = self._problem.layout
            domains = list(self._domains)
            domains[layout.numbers[name]] &= 1 << position
            self._narrowed[key] = propagated(self._network, domains)
        return self._narrowed[key]


def ranking_of(catalog: Catalog, host: Host, request: Request, problem: Problem) -> Ranking:
    """The order in which the policy of a request tries candidates."""
    if request.policy == "conservative":
        from compatsolver.solver.conservative import conservative

        return conservative(catalog, host, problem.layout)
    if request.policy == "closest":
        from compatsolver.explanation.changes import on_components
        from compatsolver.solver.closest import closest

        return closest(catalog, host, problem.layout, on_components(catalog, request))
    return newest(catalog, host, problem.layout)
