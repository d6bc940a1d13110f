"""Ask nvidia-smi, which comes with the driver, for the GPUs and the driver's version."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

FIELDS = ("name", "compute_cap", "driver_version")
PATIENCE = 2.0
WSL_PLACE = "usr/lib/wsl/lib/nvidia-smi"

_CAPABILITY = re.compile(r"\d{1,2}\.\d")
_DRIVER = re.compile(r"\d{3}\.\d+(?:\.\d+)*")


@dataclass(frozen=True)
class Gpu:
    """One GPU: its name, its compute capability where the driver tells it, the driver's version."""

    name: str
    capability: str | None
    driver: str


@dataclass(frozen=True)
class Answer:
    """What came back: GPUs, possibly none, or in `problem` why nothing can be concluded."""

    gpus: tuple[Gpu, ...] = ()
    problem: str | None = None


def find_program(root: Path) -> str | None:
    """The path of nvidia-smi, or None where it is not installed; `root` is the root of the file system.

    On Windows it is not looked for along PATH, which there begins with the current directory.
    """
    if sys.platform == "win32":
        installed = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "nvidia-smi.exe")
        return str(installed) if installed.exists() else None
    from shutil import which

    beside_windows = root / WSL_PLACE
    return which("nvidia-smi") or (str(beside_windows) if beside_windows.exists() else None)


def query(program: str, patience: float = PATIENCE) -> Answer:
    """Run the program for at most `patience` seconds a try; drivers before R510 do not know `compute_cap`."""
    status, output = _run(program, FIELDS, patience)
    if status and "compute_cap" in output:
        fields: tuple[str, ...] = ("name", "driver_version")
        status, output = _run(program, fields, patience)
    else:
        fields = FIELDS
    if "No devices were found" in output:
        return Answer()
    if status != 0:
        first = output.strip().splitlines()[:1]
        return Answer(problem=first[0] if first else f"exit status {status}")
    return _read(output, fields)


def _read(output: str, fields: tuple[str, ...]) -> Answer:
    gpus = []
    for line in output.splitlines():
        if not line.strip():
            continue
        values = dict(zip(fields, (part.strip() for part in line.rsplit(",", len(fields) - 1)), strict=False))
        if values["name"].startswith("[") or not _DRIVER.fullmatch(values.get("driver_version", "")):
            return Answer(problem=f"not a list of GPUs: {line.strip()}")
        capability = values.get("compute_cap", "")
        known = capability if _CAPABILITY.fullmatch(capability) else None
        gpus.append(Gpu(values["name"], known, values["driver_version"]))
    return Answer(tuple(gpus)) if gpus else Answer(problem="no output")


def _run(program: str, fields: tuple[str, ...], patience: float) -> tuple[int | None, str]:
    """Exit status (None: none) and output; a process that does not even die is left behind, not waited for."""
    from contextlib import suppress
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

    command = [program, f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    try:
        process = Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, encoding="utf-8", errors="replace")
    except OSError as error:
        return None, f"cannot be run: {error.strerror or error}"
    try:
        output, complaints = process.communicate(timeout=patience)
    except TimeoutExpired:
        process.kill()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
        with suppress(TimeoutExpired):
            process.wait(timeout=0.5)
        return None, f"no answer within {patience:g} s"
    return process.returncode, output if process.returncode == 0 else f"{output}\n{complaints}"
