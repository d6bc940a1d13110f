"""Recorded hosts: a YAML file becomes a folder with files, links and programs, and a `Machine` whose root it is.

The programs are real executables (shell scripts that print what was recorded), NVML is `fake_nvml.py` below the real
nvidia-ml-py, and everything in between is the code that runs on a user's machine. docs/probe.md describes the format.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import yaml

from compatsolver.observation.live.interpreter import Interpreter
from compatsolver.observation.live.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = Path(__file__).parent / "hosts"
FAKE_NVML = Path(__file__).with_name("fake_nvml.py")
LINUX = {
    "system": "Linux",
    "architecture": "x86_64",
    "python": "3.12.3",
    "glibc": "2.39",
    "release": "6.8.0-60-generic",
    "prefix": "/opt/venv",
    "base_prefix": "/usr",
    "path": ["/opt/venv/lib/python3.12/site-packages"],
}


def hosts() -> dict[str, dict[str, Any]]:
    """Every recorded host by the name of its file."""
    return {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in sorted(HOSTS.glob("*.yaml"))}


def build(host: Mapping[str, Any], root: Path) -> Machine:
    """Lay the host out below `root`."""
    for name, text in host.get("files", {}).items():
        _write(root, name, text)
    for name, target in host.get("links", {}).items():
        link = root / name.lstrip("/")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    for name, answers in host.get("programs", {}).items():
        _write(root, name, _script(answers)).chmod(0o755)
    interpreter = {**LINUX, **host.get("interpreter", {})}
    interpreter["path"] = tuple(interpreter["path"])
    libraries = {name: _library(version) for name, version in host.get("libraries", {}).items()}
    report: tuple[str, ...] = ()
    if "nvml" in host:
        libraries |= {"libnvidia-ml.so.1": object(), "nvml.dll": object()}
        report = (sys.executable, str(FAKE_NVML), str(_write(root, "/nvml.json", json.dumps(host["nvml"]))))
    environ = {"PATH": "/usr/local/cuda/bin:/usr/bin", **host.get("environ", {})}
    return Machine(root, environ, Interpreter(**interpreter), libraries.get, report)


def _write(root: Path, name: str, text: str) -> Path:
    file = root / name.partition(":")[2].lstrip("/") if name[1:2] == ":" else root / name.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text or "", encoding="utf-8")
    return file


def _script(answers: list[dict[str, Any]]) -> str:
    """The first answer whose `to` is among the arguments; one without it answers all."""
    cases = []
    for answer in answers:
        lines = [f"printf '%s' {shlex.quote(answer.get('prints', ''))}"]
        lines += [f"printf '%s' {shlex.quote(answer['complains'])} >&2"] if "complains" in answer else []
        lines += ["exec /bin/sleep 60"] if answer.get("hangs") else [f"exit {answer.get('exit', 0)}"]
        pattern = f"*{shlex.quote(answer['to'])}*" if "to" in answer else "*"
        cases.append(f"{pattern}) {'; '.join(lines)};;")
    return '#!/bin/sh\ncase "$*" in\n' + "\n".join(cases) + "\nesac\n"


def _library(version: int) -> Any:
    """A libcuda that knows one function; 0 makes it fail."""

    def driver_version(into: Any) -> int:
        into._obj.value = version
        return 0 if version else 999

    return SimpleNamespace(cuDriverGetVersion=driver_version)
