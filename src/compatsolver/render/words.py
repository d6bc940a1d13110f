"""The phrases that text and Markdown share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from compatsolver.model.resolution import RESOLVED, UNDETERMINED, Pin, Resolution, Runtime
from compatsolver.render.lines import WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping

PYTORCH_INDEX = "download.pytorch.org/whl/"
TOOLS = ("uv", "pip")


def headline(plan: Resolution) -> str:
    """What the answer is; under 80 columns where the conflict's own summary is."""
    if plan.verdict == RESOLVED:
        return _first_that_fits(_resolved_headlines(plan))
    if plan.verdict == UNDETERMINED:
        count = len(plan.missing)
        facts = [f"Undetermined, not known: {missing.fact}" for missing in plan.missing]
        return _first_that_fits([*(facts if count == 1 else ()), f"Undetermined: {_counted(count, 'fact')} missing"])
    if len(plan.conflicts) == 1:
        return plan.conflicts[0].summary
    return f"Impossible for {len(plan.conflicts)} independent reasons"


def target(plan: Resolution) -> list[str]:
    """The axes that were given, each in a phrase, in the order of the document."""
    given = {axis: value for axis, value in plan.target.items() if axis not in plan.assumed}
    return [phrase for axis, value in given.items() if (phrase := _axis(axis, value, plan.target))]


def assumed(plan: Resolution) -> list[str]:
    """The axes that were filled in, each in a phrase."""
    return [_axis(axis, value, plan.target) for axis, value in plan.assumed.items()]


def index(pin: Pin) -> str:
    """The index a package comes from, as people call it."""
    if pin.index is None:
        return "default index"
    _, found, build = pin.index.partition(PYTORCH_INDEX)
    return f"PyTorch's index {build.rstrip('/')}" if found else pin.index


def libraries(runtime: Runtime) -> list[str]:
    """The libraries that come with the build; those that are unknown or absent are left out."""
    named = (("CUDA", runtime.cuda), ("cuDNN", runtime.cudnn), ("NCCL", runtime.nccl), ("Triton", runtime.triton))
    return [f"{name} {version}" for name, version in named if version]


def commands(plan: Resolution) -> list[tuple[str, tuple[str, ...]]]:
    """Tools with their command lines, uv first, then pip, then any other."""
    tools = [*(tool for tool in TOOLS if tool in plan.commands), *(tool for tool in plan.commands if tool not in TOOLS)]
    return [(tool, plan.commands[tool]) for tool in tools]


def catalogue(plan: Resolution) -> str:
    """The catalogue the answer rests on; twelve digits of the digest tell two of a day apart."""
    overlays = "".join(f", overlay {entry['title']}" for entry in plan.catalog.get("overlay", ()))
    return f"{plan.catalog['version']} (digest {plan.catalog['digest'][:12]}){overlays}"


def hint(plan: Resolution) -> str | None:
    """What follows from a conflict without solving again: a minimal set of assumptions cannot stay whole."""
    if len(plan.conflicts) > 1:
        return "each conflict stands on its own: in every one at least one assumption has to change"
    assumptions = plan.conflicts[0].assumptions if plan.conflicts else ()
    if not assumptions:
        return None
    lead = "this has to change" if len(assumptions) == 1 else "at least one of these has to change"
    return f"{lead}: {'; '.join(assumptions)}"


def _resolved_headlines(plan: Resolution) -> list[str]:
    stack = f"PyTorch {plan.torch.version} " + (
        f"with CUDA {plan.runtime.cuda}" if plan.runtime.cuda else "without CUDA"
    )
    gpus = _named([gpu["name"] for gpu in plan.target.get("gpu") or ()])
    driver = f", driver {plan.target['driver']}" if plan.target.get("driver") else ""
    if not gpus:
        platform = plan.target.get("platform")
        return [f"{stack} for {platform}{driver}" if platform else stack + driver, stack]
    return [f"{stack} for {' and '.join(gpus)}{driver}", f"{stack} for {' and '.join(gpus)}", stack + driver]


def _first_that_fits(texts: list[str]) -> str:
    return next((text for text in texts if len(text) <= WIDTH), texts[-1])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} is" if count == 1 else f"{count} {noun}s are"


def _named(names: list[str]) -> list[str]:
    return [name if count == 1 else f"{count} × {name}" for name, count in Counter(names).items()]


def _axis(axis: str, value: Any, target: Mapping[str, Any]) -> str:
    if axis == "gpu" and value is not None:
        return ", ".join(_named([_gpu(gpu) for gpu in value])) or "no GPU"
    if axis == "driver_branch" or value in (None, False):
        return ""
    if axis == "driver":
        branch = target.get("driver_branch")
        return f"driver {value} ({branch})" if branch else f"driver {value}"
    if axis == "wsl":
        return "WSL"
    return {"platform": "", "python": "Python "}.get(axis, f"{axis} ") + str(value)


def _gpu(gpu: Mapping[str, Any]) -> str:
    name, capability = gpu["name"], gpu.get("compute_capability")
    numbered = f"compute capability {capability}" if capability and capability not in name else None
    known = [part for part in (gpu.get("architecture"), numbered) if part]
    return f"{name} ({', '.join(known)})" if known else str(name)
