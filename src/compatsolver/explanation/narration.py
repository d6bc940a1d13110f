"""A fact, read on a problem, as one sentence with its evidence and sources.

English about rules is here and, for the packages beside torch, in `package_facts`; nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from compatsolver.explanation.package_facts import is_withdrawn, package_sentence
from compatsolver.explanation.ranges import build_words, interval_words, listing, version_words, versions_of
from compatsolver.model.component import NONE, members
from compatsolver.model.provenance import EVIDENCE
from compatsolver.model.resolution import Because
from compatsolver.model.rule import Kind, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.derivation import Step
    from compatsolver.solver.problem import Assumption

_MOST_SOURCES = 4
_PINNED = re.compile(r"==\s*([\d.]+)")


def narrate(catalog: Catalog, step: Step) -> Because:
    """The fact of a step in words."""
    evidence, positions = _provenance(catalog, step)
    return Because(
        statement=_sentence(catalog, step),
        evidence=evidence,
        sources=tuple(str(catalog.source(position)) for position in positions),
    )


def _sentence(catalog: Catalog, step: Step) -> str:
    subject = step.entry.rule.id.partition("/")[0]
    for prefix, words in _SENTENCES.items():
        if subject.startswith(prefix):
            return words(catalog, step)
    return package_sentence(catalog, step)


def _allowed(rule: Rule, component: str) -> int:
    return next(literal.allowed for literal in rule.literals if literal.component == component)


def _architecture(catalog: Catalog, rule: Rule) -> tuple[str, str]:
    gpu = catalog.components["gpu"]
    capability = versions_of(gpu, gpu.everything & ~_allowed(rule, "gpu"))[0]
    return catalog.architectures[capability], capability


def _last_driver(catalog: Catalog, step: Step) -> str:
    name, capability = _architecture(catalog, step.entry.rule)
    words = interval_words(catalog.components["driver"], _allowed(step.entry.rule, "driver"))
    branch = next(row.name for row in catalog.branches if words == f"<{row.below_major}")
    return f"{branch} is the last driver branch for {name} (compute capability {capability})"


def _first_driver(catalog: Catalog, step: Step) -> str:
    name, capability = _architecture(catalog, step.entry.rule)
    words = interval_words(catalog.components["driver"], _allowed(step.entry.rule, "driver"))
    return f"{name} (compute capability {capability}) needs driver {words}"


def _driver_floor(catalog: Catalog, step: Step) -> str:
    rule = step.entry.rule
    cuda = catalog.components["cuda"]
    runtimes = version_words(cuda, cuda.everything & ~_allowed(rule, "cuda"))
    words = interval_words(catalog.components["driver"], _allowed(rule, "driver"))
    system = "Windows" if rule.id.endswith("windows") else "Linux"
    return f"CUDA {runtimes} on {system} needs driver {words}"


def _ptx(catalog: Catalog, step: Step) -> str:
    _, capability = _architecture(catalog, step.entry.rule)
    words = interval_words(catalog.components["driver"], _allowed(step.entry.rule, "driver"))
    cuda = step.entry.rule.id.rpartition("/")[2]
    return f"PTX of CUDA {cuda} runs on compute capability {capability} only with driver {words}"


def _last_toolkit(catalog: Catalog, step: Step) -> str:
    name, capability = _architecture(catalog, step.entry.rule)
    last = versions_of(catalog.components["cuda"], _allowed(step.entry.rule, "cuda"))[-1]
    return f"CUDA {last} is the last toolkit for {name} (compute capability {capability})"


def _first_toolkit(catalog: Catalog, step: Step) -> str:
    name, capability = _architecture(catalog, step.entry.rule)
    first = step.entry.rule.id.rpartition("/")[2]
    return f"CUDA {first} is the first toolkit that compiles code for {name} (compute capability {capability})"


def _kernels(catalog: Catalog, step: Step) -> str:
    _, capability = _architecture(catalog, step.entry.rule)
    torch = catalog.components["torch"]
    excluded = step.turned_away("torch")
    left = step.before["torch"] & _with_kernels(catalog, capability)
    gpu_builds = sum(1 << position for position in members(left) if catalog.build(position).is_known_to_run_code)
    if gpu_builds:
        return f"kernels for compute capability {capability} are in PyTorch {build_words(torch, gpu_builds)}"
    return f"PyTorch {build_words(torch, excluded)} has no kernels for compute capability {capability}"


def _with_kernels(catalog: Catalog, capability: str) -> int:
    """The builds that no rule or guard on GPU code turns away for a capability."""
    builds = catalog.components["torch"].everything
    for rule in catalog.rules:
        if rule.id.startswith(f"gpu-code/{capability}/"):
            builds &= _allowed(rule, "torch")
    return builds


def _cudnn(catalog: Catalog, step: Step) -> str:
    cudnn = catalog.components["cudnn"]
    oldest = versions_of(cudnn, cudnn.everything & ~_allowed(step.entry.rule, "cudnn"))[0]
    gpu = catalog.components["gpu"]
    served = version_words(gpu, _allowed(step.entry.rule, "gpu") & ~_none(catalog))
    return f"cuDNN {oldest} and newer runs on compute capability {served} only"


def _none(catalog: Catalog) -> int:
    gpu = catalog.components["gpu"]
    return sum(1 << i for i, candidate in enumerate(gpu.candidates) if candidate.version == NONE)


def _cpu_build(_catalog: Catalog, _step: Step) -> str:
    return "a CPU build of PyTorch does not use a GPU"


def _platform(catalog: Catalog, step: Step) -> str:
    torch = catalog.components["torch"]
    platform = versions_of(
        catalog.components["platform"],
        catalog.components["platform"].everything & ~_allowed(step.entry.rule, "platform"),
    )[0]
    left = step.before["torch"] & _allowed(step.entry.rule, "torch")
    if left:
        return f"PyTorch builds for other platforms than {platform} do not install there"
    published = [position for position in members(step.before["torch"]) if catalog.build(position).is_published]
    elsewhere = {torch.candidates[position].platform or "" for position in published}
    wanted = build_words(torch, sum(1 << position for position in published))
    return f"PyTorch {wanted} has wheels for {listing(sorted(elsewhere))} only, none for {platform}"


def _python(catalog: Catalog, step: Step) -> str:
    component = catalog.components["python"]
    python = versions_of(component, component.everything & ~_allowed(step.entry.rule, "python"))[0]
    torch = catalog.components["torch"]
    left = step.before["torch"] & _allowed(step.entry.rule, "torch")
    if left:
        return f"PyTorch wheels for Python {python} exist for {version_words(torch, left)}"
    wanted = step.before["torch"]
    pythons = {tag for position in members(wanted) for tag in catalog.build(position).pythons}
    known = [c.version for c in reversed(component.candidates) if c.version in pythons]
    return f"PyTorch {version_words(torch, wanted)} has wheels for Python {listing(known)}, not {python}"


def _glibc(catalog: Catalog, step: Step) -> str:
    words = interval_words(catalog.components["glibc"], _allowed(step.entry.rule, "glibc"))
    return f"PyTorch {build_words(catalog.components['torch'], step.turned_away('torch'))} needs glibc {words}"


def _brings(catalog: Catalog, step: Step) -> str:
    name = "cuda" if step.entry.rule.field == "cuda" else "cudnn"
    component, torch = catalog.components[name], catalog.components["torch"]
    possible = step.before["torch"]
    values = {_value(catalog, position, name) for position in members(possible)}
    known = [c.version for c in reversed(component.candidates) if c.version in values - {NONE}]
    also = " and as a CPU build" if NONE in values else ""
    return f"PyTorch {version_words(torch, possible)} is built with {component.title} {listing(known)}{also}"


def _value(catalog: Catalog, position: int, name: str) -> str:
    build = catalog.build(position)
    if name == "cudnn":
        return build.cudnn or NONE
    return ".".join(build.cuda.split(".")[:2]) if build.cuda else NONE


def _triton(catalog: Catalog, step: Step) -> str:
    requirement = step.entry.rule.id.partition("/")[2]
    needing = version_words(catalog.components["torch"], step.turned_away("torch"))
    return f"PyTorch {needing} requires triton {requirement}"


_SENTENCES: dict[str, Callable[[Catalog, Step], str]] = {
    "gpu-last-driver": _last_driver,
    "gpu-first-driver": _first_driver,
    "gpu-last-toolkit": _last_toolkit,
    "gpu-first-toolkit": _first_toolkit,
    "gpu-code": _kernels,
    "gpu-ptx": _ptx,
    "gpu-needs-cuda-build": _cpu_build,
    "cuda-driver-floor": _driver_floor,
    "cudnn-capability": _cudnn,
    "torch-platform": _platform,
    "torch-python": _python,
    "torch-glibc": _glibc,
    "torch-brings": _brings,
    "torch-cuda": _brings,
    "torch-cudnn": _brings,
    "torch-triton": _triton,
}


def _provenance(catalog: Catalog, step: Step) -> tuple[str, tuple[int, ...]]:
    """Evidence and sources of a fact: the row's own, or those of the candidates it turns away."""
    rule = step.entry.rule
    if rule.field is None or rule.sources:
        return rule.evidence, rule.sources
    package = rule.literals[-1 if rule.field in ("wheels", "cuda", "cudnn") else 0].component
    if "torch" in (literal.component for literal in rule.literals) and rule.field not in ("wheels", "requires"):
        package = "torch"
    concerned = members(_concerned(catalog, step, package))
    counted: Counter[int] = Counter()
    levels = set()
    for position in concerned:
        level, sources = _of_candidate(catalog, package, position, rule.field)
        counted.update(sources)
        levels.add(level)
    weakest = max(levels, key=EVIDENCE.index) if levels else rule.evidence
    return weakest, tuple(position for position, _ in counted.most_common(_MOST_SOURCES))


def _concerned(catalog: Catalog, step: Step, package: str) -> int:
    if package not in step.before:
        return 0
    literal = [literal for literal in step.entry.rule.literals if literal.component == package]
    possible = step.before[package]
    turned_away = possible & ~literal[0].allowed if literal else possible
    return turned_away or possible


def _of_candidate(catalog: Catalog, package: str, position: int, column: str) -> tuple[str, tuple[int, ...]]:
    if package != "torch":
        if catalog.components[package].candidates[position].version == NONE:
            return EVIDENCE[0], ()
        release = catalog.release(package, position)
        return release.evidence, release.sources
    build = catalog.build(position)
    level = build.evidence.get(column, build.evidence.get("published", "inferred"))
    return level, build.arch_sources if column == "archs" else build.sources


def merged(facts: Iterable[Because]) -> tuple[Because, ...]:
    """Facts that read the same (one per CUDA version a release comes with) told once, with all their sources."""
    by_statement: dict[str, Because] = {}
    for fact in facts:
        before = by_statement.get(fact.statement, fact)
        by_statement[fact.statement] = Because(
            statement=fact.statement,
            evidence=max(before.evidence, fact.evidence, key=EVIDENCE.index),
            sources=tuple(dict.fromkeys((*before.sources, *fact.sources))),
        )
    return tuple(by_statement.values())


def nothing_matches(catalog: Catalog, core: Sequence[Assumption]) -> Because:
    """Assumptions on one component that no candidate satisfies, although the catalogue lists them all."""
    component = catalog.components[core[0].slot]
    wanted = _PINNED.search(core[0].text)
    builds = [c for c in component.candidates if c.build and wanted and c.version == wanted[1]]
    if len(core) > 1:
        asked = listing((assumption.text for assumption in core), joint=" and ")
        statement = f"{asked} have no {component.title} build in common"
    elif builds:
        tags = sorted({candidate.build or "" for candidate in builds}, reverse=True)
        statement = f"{component.title} {builds[0].version} is published as {listing(tags)}"
    elif wanted and is_withdrawn(catalog, component.name, wanted[1]):
        statement = f"{component.title} {wanted[1]} was withdrawn from its index (yanked), so no plan takes it"
    else:
        known = version_words(component, component.everything)
        statement = f"{core[0].text} is none of the {component.title} versions there are, {known}"
    return Because(statement=statement, evidence="artifact-exists", sources=())


def headline(kind: Kind, core: Sequence[Assumption]) -> str:
    """What cannot be, in one line."""
    texts = {origin: [a.text for a in core if a.origin == origin] for origin in {a.origin for a in core}}
    gpus, drivers = texts.get("gpu", []), texts.get("driver", [])
    asked = listing([*texts.get("requirement", []), *texts.get("cuda", [])])
    if kind is Kind.DRIVER_DROPS_GPU and gpus and drivers:
        return f"{drivers[0]} does not drive {listing(gpus)}"
    if kind is Kind.DRIVER_MIN_FOR_CUDA and drivers and asked != "none":
        return f"{drivers[0]} is too old for {asked}"
    if kind in (Kind.ARCH_BELOW_WHEEL_MIN, Kind.ARCH_ABOVE_WHEEL_MAX) and len(gpus) > 1 and asked == "none":
        return f"no PyTorch build runs on {listing(gpus, joint=' and ')}"
    if len(core) == 1:
        return f"no version satisfies {core[0].text}"
    *most, last = (assumption.text for assumption in core)
    return f"{listing(most)} and {last} cannot hold together"
