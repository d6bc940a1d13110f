"""What a user should know beside the pins: how the driver runs the build, what the answer rests on."""

from __future__ import annotations

from time import mktime
from typing import TYPE_CHECKING

from compatsolver.emitters import uv
from compatsolver.model.rule import Kind
from compatsolver.model.version import NumericVersion
from compatsolver.solver.policy import ceiling_of, is_native

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.model.component import Candidate
    from compatsolver.model.host import Host
    from compatsolver.model.resolution import Pin
    from compatsolver.solver.certify import Solved
    from compatsolver.solver.problem import Problem

OLD_AFTER_DAYS = 90
SECONDS_OF_A_DAY = 86_400


def notes(catalog: Catalog, host: Host, pin: Pin, position: int) -> Iterator[str]:
    """Notes on the torch pin of a plan."""
    build = catalog.build(position)
    yield from _driver(catalog, host, build)
    yield from _index(catalog, pin, position)
    if build.published == "build-matrix":
        yield "that this build is published rests on PyTorch's build matrix; its index was not read"
    if build.evidence.get("archs") == "inferred" and host.gpus:
        yield "which GPUs this build has kernels for is inferred: no source lists them"
    for text, concerned in catalog.remarks(position):
        if concerned is None or any(gpu.capability in concerned for gpu in host.gpus or ()):
            yield text
    if pin.index and pin.build and not uv.serves(pin):
        yield f"uv has no backend name for the index of {pin.build}: use the pip command"


def avoided(catalog: Catalog, problem: Problem, solved: Solved) -> Iterator[str]:
    """What a plan breaks because no other does not: source builds, and packages of which a part does not work."""
    if not solved.avoided:
        return
    from compatsolver.explanation.derivation import Step
    from compatsolver.explanation.narration import narrate

    chosen = {slot: 1 << position for slot, position in solved.assignment.items()}
    for entry in problem.layout.bound:
        if entry.rule in solved.avoided:
            statement = narrate(catalog, Step(entry, chosen)).statement
            is_library = entry.rule.kind is Kind.BNB_CUDA_BINARY
            yield f"{statement}; installers take the wheel, so no command is shown" if is_library else statement


def lacks_a_library(solved: Solved) -> bool:
    """Whether a wheel of the plan has no library for its CUDA: installers take it, and on the GPU it does not run."""
    return any(rule.kind is Kind.BNB_CUDA_BINARY for rule in solved.avoided)


def numpy(catalog: Catalog, problem: Problem, assignment: dict[str, int]) -> Iterator[str]:
    """Which NumPy may be installed beside a plan that has none: torch does not require it, and most people have it."""
    if "numpy" in problem.layout.components:
        return
    component = catalog.components["numpy"]
    allowed = component.everything
    for rule in catalog.rules_on(["numpy"]):
        others = {literal.component: literal.allowed for literal in rule.literals if literal.component != "numpy"}
        if rule.kind is Kind.NUMPY_ABI and not any(mask >> assignment[name] & 1 for name, mask in others.items()):
            allowed &= next(literal.allowed for literal in rule.literals if literal.component == "numpy")
    if allowed != component.everything:
        from compatsolver.explanation.ranges import version_words

        yield f"beside this torch NumPy must be {version_words(component, allowed)}, if it is installed at all"


def age(catalog: Catalog, today: str) -> Iterator[str]:
    """A note where the catalogue is old; `today` is a date in ISO 8601."""
    days = round((_noon(today) - _noon(catalog.horizon)) / SECONDS_OF_A_DAY)
    if days > OLD_AFTER_DAYS:
        yield f"the catalogue is {days} days old: newer releases are not in it; use a newer one with --catalog"


def _noon(date: str) -> float:
    """Seconds of the noon of a day; datetime would be imported for this difference alone."""
    year, month, day = map(int, date.split("-"))
    return mktime((year, month, day, 12, 0, 0, 0, 0, -1))


def _driver(catalog: Catalog, host: Host, build: Build) -> Iterator[str]:
    ceiling = ceiling_of(catalog, host)
    if build.cuda is None or ceiling is None:
        return
    newest = catalog.branches[0]
    if host.driver and host.driver.major >= newest.below_major:
        yield (
            f"driver {host.driver} is newer than {newest.name}, the newest in the catalogue: the plan rests on NVIDIA's"
            " promise that newer drivers run what older ones ran (inferred)"
        )
        return
    cuda = NumericVersion.parse(build.cuda)
    if cuda.major == ceiling.major and not is_native(cuda, ceiling):
        driver = f"driver {host.driver} (CUDA {ceiling})" if host.driver else f"a driver for CUDA {ceiling}"
        yield (
            f"{driver} runs CUDA {_minor(build.cuda)} by minor-version compatibility: no PTX JIT (code that the driver"
            " would have to compile), no features newer than the driver"
        )


def _index(catalog: Catalog, pin: Pin, position: int) -> Iterator[str]:
    if pin.index is None:
        return
    torch = catalog.components["torch"].candidates
    usual = _default_build(catalog, torch, torch[position])
    if usual is not None and usual.build != pin.build:
        place = "PyTorch's" if pin.index.startswith(uv.PYTORCH_INDEX) else pin.index
        what = "CPU builds" if usual.build == "cpu" else f"the {usual.build} build"
        yield f"the default index serves {what} of torch {pin.version} on {usual.platform}; this one is on {place}"


def _default_build(catalog: Catalog, candidates: tuple[Candidate, ...], chosen: Candidate) -> Candidate | None:
    for position, candidate in enumerate(candidates):
        same = candidate.version == chosen.version and candidate.platform == chosen.platform
        if same and catalog.build(position).default_index:
            return candidate
    return None


def _minor(cuda: str) -> str:
    return ".".join(cuda.split(".")[:2])
