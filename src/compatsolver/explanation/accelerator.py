"""What the builds of a lock ask of GPU and host: the oldest driver, the architectures, the toolkit to build with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.lock import Accelerator
from compatsolver.model.version import Capability
from compatsolver.solver.formulate import formulate
from compatsolver.solver.problem import Problem
from compatsolver.solver.search import propagated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Requirement


def accelerator(catalog: Catalog, host: Host, pins: Sequence[Requirement], cuda: str | None) -> Accelerator:
    """For exact pins of the stack on a host and the runtime they bring (`12.6`, None for a CPU build).

    The driver of the host is left out of account: asked for is the oldest that would do, for its GPUs as well.
    """
    capabilities = {gpu.capability for gpu in host.gpus or () if gpu.capability}
    if cuda is None:
        return Accelerator()
    minor = [row[0] for row in catalog.diagnosis["toolkits"] if row[0].startswith(f"{cuda}.")]
    return Accelerator(
        capabilities=tuple(sorted(capabilities, key=Capability.parse)),
        cuda=cuda,
        toolkit=minor[0] if minor else None,
        driver=_oldest_driver(catalog, host, pins),
    )


def _oldest_driver(catalog: Catalog, host: Host, pins: Sequence[Requirement]) -> str | None:
    """The lower end of the interval that the rules leave to the driver; None where they leave it open."""
    problem = formulate(catalog, host._replace(driver=None, driver_cuda=None), pins, None)
    if not isinstance(problem, Problem):
        return None
    domains = propagated(problem.layout.unavoided, problem.domains())
    component = problem.layout.components["driver"]
    mask = domains[problem.layout.numbers["driver"]] if domains else component.everything
    return None if mask == component.everything else component.candidates[mask.bit_length() - 1].version
