"""Nodes of a cluster: a recorded H200 machine with a stack on it, read by the code that reads a user's machine."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from compatsolver.observation.live.collect import probe
from recorded import build, hosts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SITE = "/opt/venv/lib/python3.12/site-packages"
STACK = {
    "torch": "2.9.1+cu128",
    "nvidia-nccl-cu12": "2.27.5",
    "nvidia-cudnn-cu12": "9.10.2.21",
    "transformers": "4.57.1",
    "peft": "0.18.0",
    "rich": "14.2.0",
}
A100 = {"name": "NVIDIA A100-SXM4-80GB", "compute_capability": "8.0", "memory": 81920}


def node(
    folder: Path,
    name: str,
    packages: Mapping[str, str | None] | None = None,
    *,
    driver: str | None = None,
    gpu: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Path:
    """Lay a node out, probe it and write its document to `folder`; `packages` replace those of the stack, None takes
    one away."""
    host = copy.deepcopy(hosts()["h200-eight-nvswitch"])
    stack = {**STACK, **(packages or {})}
    host["files"] = {path: text for path, text in host["files"].items() if SITE not in path}
    host["files"] |= _installed({package: version for package, version in stack.items() if version})
    if driver:
        host = json.loads(json.dumps(host).replace("570.133.20", driver))
    if gpu:
        host["nvml"]["devices"] = [{**device, **gpu} for device in host["nvml"]["devices"]]
    host["environ"] = {**host.get("environ", {}), **(environ or {})}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(probe(build(host, folder / f"{name}.root")).to_dict()), encoding="utf-8")
    return path


def _installed(stack: Mapping[str, str]) -> dict[str, str]:
    """The files that pip leaves: a record of each package, and torch's word on its build."""
    files = {}
    for name, version in stack.items():
        public = version.partition("+")[0]
        record = f"{SITE}/{name.replace('-', '_')}-{public}.dist-info/METADATA"
        files[record] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {public}\n"
    build = stack["torch"].partition("+")[2]
    cuda = None if build == "cpu" else f"{build[2:-1]}.{build[-1]}"
    files[f"{SITE}/torch/version.py"] = f"__version__ = {stack['torch']!r}\ncuda: Optional[str] = {cuda!r}\n"
    return files
