"""The shape of the table of known issues."""

from typing import Literal

from compatsolver.authoring.schema_facts import Bounds, Fact

Harm = Literal["crash", "error", "hang", "wrong-result", "slow", "warning", "info"]


class IssueRow(Fact):
    """What goes wrong with some versions of a component (PEP 440, null for all), why, and what to do about it.

    It holds on these platforms, with these runtimes, on these GPUs, beside these packages; what is left out does not
    limit it. `told`: a plan that it concerns says so.
    """

    id: str
    component: str
    versions: str | None
    platforms: list[str] | None = None
    cuda: Bounds | None = None
    compute_capability: Bounds | None = None
    beside: dict[str, str] = {}
    severity: Harm
    told: bool = False
    summary: str
    cause: str
    remedy: str
