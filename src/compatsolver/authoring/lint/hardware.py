"""GPUs, architectures, driver branches and toolkits agree with each other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.rules.hosts import within
from compatsolver.authoring.schema import Bounds, CapabilityRow, CudnnRow, GpusRow, IssueRow, Tables
from compatsolver.model.version import Capability, NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator


def bounds_ordered(tables: Tables) -> Iterator[Finding]:
    """Bounds have at most one key per end and the lower end below the upper one: an empty range states nothing."""
    on_gpus = (row for row in every_row(tables) if isinstance(row, (CudnnRow, GpusRow, IssueRow)))
    capabilities = {id(row.compute_capability) for row in on_gpus}
    for row in every_row(tables):
        if isinstance(row, Bounds):
            read = Capability.parse if id(row) in capabilities else NumericVersion.parse
            low, high = row.at_least or row.above, row.at_most or row.below
            if (row.at_least and row.above) or (row.at_most and row.below):
                yield Finding(row, "the range gives one end twice", "keep one key per end")
            elif low is None and high is None:
                yield Finding(row, "the range has no end", "write at_least, above, at_most or below")
            elif low and high and _is_empty(read(low), read(high), row):
                yield Finding(row, f"no version lies between {low} and {high}", "exchange or correct the ends")


def _is_empty(low: NumericVersion | Capability, high: NumericVersion | Capability, row: Bounds) -> bool:
    both_included = row.at_least is not None and row.at_most is not None
    return high < low or (high == low and not both_included)


def branches_tile(tables: Tables) -> Iterator[Finding]:
    """Every driver number from the first branch to the last belongs to exactly one branch."""
    for row in tables.branches:
        if row.branch != f"R{row.first_major}":
            yield Finding(
                row, f"{row.branch} begins with {row.first_major}", "a branch is named after its first number"
            )
        if row.first_major >= row.below_major:
            yield Finding(row, f"{row.branch} holds no driver", "make below_major the first number of the next branch")
    for newer, older in pairwise(tables.branches):
        if older.below_major != newer.first_major:
            what = "overlap" if older.below_major > newer.first_major else "leave a gap"
            message = f"{older.branch} (below {older.below_major}) and {newer.branch} (from {newer.first_major}) {what}"
            yield Finding(older, message, f"end {older.branch} where the next branch begins")


def branch_cuda_ordered(tables: Tables) -> Iterator[Finding]:
    """A newer branch supports at least the CUDA that an older one does."""
    known = [row for row in tables.branches if row.max_cuda]
    for newer, older in pairwise(known):
        if NumericVersion.parse(newer.max_cuda or "") < NumericVersion.parse(older.max_cuda or ""):
            message = f"{newer.branch} supports CUDA {newer.max_cuda}, the older {older.branch} {older.max_cuda}"
            yield Finding(newer, message, "correct one of them")


def branch_cuda_known(tables: Tables) -> Iterator[Finding]:
    """The newest CUDA of a branch is a toolkit there is, and the newest of those that came with the branch.

    Toolkits older than the oldest in cuda.yaml are outside the catalogue.
    """
    minors = {toolkit_minor(row.version) for row in tables.toolkits}
    for row in tables.branches:
        newest = NumericVersion.parse(row.max_cuda) if row.max_cuda else None
        if newest is None or not minors or newest < min(minors):
            continue
        if newest not in minors:
            yield Finding(row, f"{row.branch} supports CUDA {newest}, which is no toolkit", "add it or correct the row")
        own = [toolkit_minor(each.version) for each in tables.toolkits if each.branch == row.branch]
        if own and max(own) != newest:
            message = f"{row.branch} supports CUDA {newest}, and CUDA {max(own)} came with it"
            yield Finding(row, message, "correct one of them")


def toolkit_branch(tables: Tables) -> Iterator[Finding]:
    """A toolkit's branch is a known one, and the driver packaged with the toolkit is of that branch."""
    branches = {row.branch: row for row in tables.branches}
    for row in tables.toolkits:
        branch = branches.get(row.branch or "")
        if row.branch and not branch:
            yield Finding(row, f"CUDA {row.version}: no branch {row.branch} in drivers.yaml", "add or correct it")
        for driver in (row.driver.linux, row.driver.windows):
            if branch and driver and not branch.first_major <= NumericVersion.parse(driver).major < branch.below_major:
                message = f"CUDA {row.version}: driver {driver} is not of the branch {row.branch}"
                yield Finding(row, message, "correct the driver or the branch")


def toolkit_drivers_ordered(tables: Tables) -> Iterator[Finding]:
    """A newer toolkit needs at least the driver of an older one."""
    for system in ("linux", "windows"):
        known = [(row, getattr(row.driver, system)) for row in tables.toolkits if getattr(row.driver, system)]
        for (newer, newer_driver), (older, older_driver) in pairwise(known):
            if NumericVersion.parse(newer_driver) < NumericVersion.parse(older_driver):
                needs = f"CUDA {newer.version} needs {newer_driver} on {system}"
                message = f"{needs}, the older {older.version} needs {older_driver}"
                yield Finding(newer, message, "correct one of them")


def compatibility_disjoint(tables: Tables) -> Iterator[Finding]:
    """A toolkit falls under exactly one row on the lowest driver."""
    for toolkit in tables.toolkits:
        rows = [row for row in tables.compatibility if within(toolkit.version, row.cuda)]
        if len(rows) != 1:
            where = ", ".join(tables.place(row) for row in rows) or "none"
            message = f"CUDA {toolkit.version} falls under {len(rows)} rows of `compatibility` ({where})"
            yield Finding(toolkit, message, "let the ranges cover each toolkit once")


def cudnn_tile(tables: Tables) -> Iterator[Finding]:
    """Every cuDNN from the oldest on falls under one row on its GPUs."""
    for newer, older in pairwise(tables.cudnn):
        if older.cudnn.below != newer.cudnn.at_least:
            message = f"cuDNN below {older.cudnn.below} and from {newer.cudnn.at_least} leave a gap or overlap"
            yield Finding(older, message, "end a row where the next begins")


def capability_ends(tables: Tables) -> Iterator[Finding]:
    """First and last toolkit and branch of a capability exist and are in order.

    Toolkits older than the oldest in cuda.yaml are outside the catalogue and only compared.
    """
    minors = {toolkit_minor(row.version) for row in tables.toolkits}
    majors = {row.branch: row.first_major for row in tables.branches}
    for row in tables.capabilities:
        name = row.compute_capability
        for toolkit in (row.first_toolkit, row.last_toolkit):
            minor = toolkit_minor(toolkit) if toolkit else None
            if minor and minors and minor >= min(minors) and minor not in minors:
                yield Finding(row, f"{name}: no toolkit {toolkit} in cuda.yaml", "add it or correct the row")
        for branch in (row.first_branch, row.last_branch):
            if branch and branch not in majors:
                yield Finding(row, f"{name}: no branch {branch} in drivers.yaml", "add it or correct the row")
        if _reversed(row):
            yield Finding(row, f"{name}: the last toolkit or branch is before the first", "exchange or correct them")


def toolkit_minor(text: str) -> NumericVersion:
    """The `12.4` of `12.4.1`."""
    return NumericVersion.parse(".".join(text.split(".")[:2]))


def _reversed(row: CapabilityRow) -> bool:
    ends = ((row.first_toolkit, row.last_toolkit), (row.first_branch, row.last_branch))
    return any(
        first and last and NumericVersion.parse(last.lstrip("R")) < NumericVersion.parse(first.lstrip("R"))
        for first, last in ends
    )


def same_chip(tables: Tables) -> Iterator[Finding]:
    """`same_as` names a known capability that points back: both are numbers of one chip."""
    rows = {row.compute_capability: row for row in tables.capabilities}
    for row in tables.capabilities:
        if row.same_as and (row.same_as not in rows or rows[row.same_as].same_as != row.compute_capability):
            message = f"{row.compute_capability} is the same chip as {row.same_as}, which does not say so"
            yield Finding(row, message, f'write same_as: "{row.compute_capability}" in the row of {row.same_as}')


def dispute_still_needed(tables: Tables) -> Iterator[Finding]:
    """A dispute is about code that some build of its runtimes has: once no build does, the exception is to go."""
    builds = [build for release in tables.torch for build in release.builds if build.cuda and build.archs]
    for row in tables.capabilities:
        for dispute in row.disputed:
            built = (build for build in builds if build.cuda and within(build.cuda, dispute.cuda))
            if not any(build.archs and {*dispute.code} & {*(build.archs.sass or ())} for build in built):
                message = f"{row.compute_capability}: no build has the disputed code {', '.join(dispute.code)}"
                yield Finding(dispute, message, "remove the dispute, or correct its code and runtimes")


def capability_bound_known(tables: Tables) -> Iterator[Finding]:
    """The ends of a range of capabilities are capabilities there are: one between two of them is a slip."""
    known = {row.compute_capability for row in tables.capabilities}
    for row in every_row(tables):
        if isinstance(row, (CudnnRow, GpusRow, IssueRow)) and row.compute_capability is not None:
            ends = (end for _, end in row.compute_capability.columns() if end is not None)
            strangers = [end for end in ends if end not in known]
            if strangers:
                message = f"no GPU has the capability {', '.join(strangers)}"
                yield Finding(row.compute_capability, message, "write one of architectures.yaml")


def floor_of_old_toolkit(tables: Tables) -> Iterator[Finding]:
    """Without minor-version compatibility the lowest driver is the one packaged with the first toolkit of the range."""
    for row in (row for row in tables.compatibility if not row.minor_version):
        toolkits = [toolkit for toolkit in tables.toolkits if within(toolkit.version, row.cuda)]
        for system in ("linux", "windows"):
            packaged = [version for each in toolkits if (version := getattr(each.driver, system))]
            floor = getattr(row.driver, system)
            if floor and packaged and floor != min(packaged, key=NumericVersion.parse):
                message = f"the floor on {system} is {floor}, the toolkit's driver {', '.join(packaged)}"
                yield Finding(row, message, "correct one of them")


LINTS: tuple[Lint, ...] = (
    bounds_ordered,
    branches_tile,
    branch_cuda_ordered,
    branch_cuda_known,
    toolkit_branch,
    toolkit_drivers_ordered,
    compatibility_disjoint,
    cudnn_tile,
    capability_ends,
    same_chip,
    dispute_still_needed,
    capability_bound_known,
    floor_of_old_toolkit,
)
