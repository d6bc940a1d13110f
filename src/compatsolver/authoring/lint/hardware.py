"""GPUs, architectures, driver branches and toolkits agree with each other."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.rules.hosts import within
from compatsolver.authoring.schema import Bounds, CapabilityRow, CudnnRow, GpuRow, GpusRow, IssueRow, SmiNameRow, Tables
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
    """The newest CUDA of a branch is a toolkit there is, and no toolkit of the branch is newer.

    Toolkits older than the oldest in cuda.yaml are outside the catalogue.
    """
    minors = {toolkit_minor(row.version) for row in tables.toolkits}
    for row in tables.branches:
        newest = NumericVersion.parse(row.max_cuda) if row.max_cuda else None
        if newest is None or not minors or newest < min(minors):
            continue
        if newest not in minors:
            yield Finding(row, f"{row.branch} supports CUDA {newest}, which is no toolkit", "add it or correct the row")
        above = [
            each.version
            for each in tables.toolkits
            if each.branch == row.branch and toolkit_minor(each.version) > newest
        ]
        if above:
            message = f"{row.branch} supports CUDA {newest}, and CUDA {above[0]} came with it"
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


def gpu_capability_known(tables: Tables) -> Iterator[Finding]:
    """The capability of every GPU has a row in architectures.yaml: without it nothing can be said about the GPU."""
    known = {row.compute_capability for row in tables.capabilities}
    for row in _gpus(tables):
        if row.compute_capability not in known:
            message = f"{row.name}: no capability {row.compute_capability} in architectures.yaml"
            yield Finding(row, message, "add it or correct the row")


def chip_capability(tables: Tables) -> Iterator[Finding]:
    """Products with the same chip have one capability: it is a property of the chip."""
    first: dict[str, GpuRow] = {}
    for row in tables.products:
        if row.chip is not None:
            other = first.setdefault(row.chip, row)
            if row.compute_capability != other.compute_capability:
                message = f"{row.name} has {row.compute_capability}, {other.name} with its chip {row.chip}"
                yield Finding(row, f"{message} {other.compute_capability}", "correct a capability or a chip")


def product_meanings(tables: Tables) -> Iterator[Finding]:
    """A name with several capabilities is a fault of the tables unless every row says in `notes` which GPU it means."""
    meanings: dict[str, set[str]] = {}
    for row in tables.products:
        meanings.setdefault(row.name.casefold(), set()).add(row.compute_capability)
    for row in tables.products:
        capabilities = meanings[row.name.casefold()]
        if len(capabilities) > 1 and not row.notes:
            message = f"{row.name} has the capabilities {' and '.join(sorted(capabilities))}"
            yield Finding(row, message, "correct one, or say in the notes of each which GPU is meant")


def printed_name_agrees(tables: Tables) -> Iterator[Finding]:
    """The driver's name for a GPU and the marketing name, where they are the same words, have the same capability."""
    products: dict[str, set[str]] = {}
    for product in tables.products:
        products.setdefault(_bare(product.name), set()).add(product.compute_capability)
    for row in tables.nvidia_smi_names:
        capabilities = products.get(_bare(row.name))
        if capabilities and row.compute_capability not in capabilities:
            message = (
                f"{row.name} has {row.compute_capability}, the product of that name {' or '.join(sorted(capabilities))}"
            )
            yield Finding(row, message, "correct one of them")


def _gpus(tables: Tables) -> list[GpuRow | SmiNameRow]:
    return [*tables.products, *tables.nvidia_smi_names]


def _bare(name: str) -> str:
    return name.casefold().removeprefix("nvidia ")


def other_vendor_patterns(tables: Tables) -> Iterator[Finding]:
    """Patterns for other vendors compile and match no NVIDIA GPU, which would then be turned away."""
    names = [row.name for row in _gpus(tables)]
    for row in tables.other_vendors:
        try:
            pattern = re.compile(row.pattern, re.IGNORECASE)
        except re.error as error:
            yield Finding(row, f"the pattern for {row.vendor} does not compile: {error}", "correct it")
            continue
        caught = [name for name in names if pattern.search(name)]
        if caught:
            message = f"the pattern for {row.vendor} matches {len(caught)} NVIDIA names, such as {caught[0]!r}"
            yield Finding(row, message, "make it narrower")


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
    gpu_capability_known,
    chip_capability,
    product_meanings,
    printed_name_agrees,
    other_vendor_patterns,
)
