"""The largest batch that fits, found by trying: each size in a process of its own, which may run out of memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

GIB = 1 << 30
LARGEST = 1 << 14
PATIENCE = 1800.0
"""Seconds that a size may take; one that takes longer ends the search."""
PROCESS = Path("/proc/self/status")
GIVING_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536"}
"""Has glibc return what is freed; without it the kernel counts memory that a process no longer uses."""
OUT_OF_MEMORY = (
    "out of memory",
    "can't allocate memory",
    "cannot allocate memory",
    "MemoryError",
    "bad_alloc",
    "ALLOC_FAILED",
)
KILLED = -9
SAME_IN_FIT = {"bf16": "bf16", "fp16": "bf16", "fp32": "fp32"}
"""Precision here → the one in `compatsolver fit` with as many bytes."""


class Peak:
    """How much memory this process takes from now on, and a limit to it in GiB."""

    def __init__(self, device: Any, limit: float | None) -> None:
        self.is_cuda = device.type == "cuda"
        if self.is_cuda:
            import torch

            self.words = "what torch's allocator gave out on the GPU"
            if limit:
                total = torch.cuda.get_device_properties(device).total_memory
                torch.cuda.set_per_process_memory_fraction(min(1.0, limit * GIB / total), device)
        elif not PROCESS.exists():
            sys.exit("memory of a CPU is limited and measured on Linux alone")
        else:
            import resource

            settings = " ".join("=".join(each) for each in GIVING_BACK.items())
            self.words = f"resident memory beyond that of the libraries, with {settings}"
            self.start = status("VmRSS")
            most = status("VmData") + int(limit * GIB if limit else available() * 4 // 5)
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    def bytes(self) -> int:
        """The most that was taken."""
        if self.is_cuda:
            import torch

            return int(torch.cuda.max_memory_allocated())
        return status("VmHWM") - self.start


def status(name: str, file: Path = PROCESS) -> int:
    """A line of the kernel's account of this process, in bytes."""
    line = next(line for line in file.read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def available() -> int:
    """Memory of this machine that nothing uses, in bytes."""
    return status("MemAvailable", Path("/proc/meminfo"))


def search(fits: Callable[[int], bool]) -> int:
    """The largest number that fits, where all below it do too; 0 where not even 1 does."""
    low, high = 0, 1
    while high <= LARGEST and fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def largest_batch(command: list[str], options: argparse.Namespace) -> int:
    """Try sizes, print what came of each, and return an exit code: 1 where not even one sequence fits."""
    if os.environ.get("WORLD_SIZE", "1") != "1":
        sys.exit("--find-batch tries on one device: start it without torchrun")
    tries: dict[int, dict[str, Any] | None] = {}

    def fits(batch: int) -> bool:
        found = tries[batch] = attempt(command, batch)
        words = f"fits, peak {size(found['peak'])}" if found else "out of memory"
        print(f"batch {batch}: {words}", flush=True)
        return found is not None

    largest = search(fits)
    found = tries.get(largest)
    if found is None:
        print("not even a batch of one sequence fits")
        return 1
    print(f"largest batch that fits: {largest}; {comparison(found, largest, options)}")
    print(f"measured: {found['measured']}")
    return 0


def attempt(command: list[str], batch: int) -> dict[str, Any] | None:
    """Train a few steps at one size, in a process of its own; None where its memory ran out.

    Ends the search where it failed for another reason.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "found.json")
        words = [word for word in command if word != "--find-batch"]
        line = [sys.executable, *words, f"--batch={batch}", f"--measure={file}"]
        variables = os.environ | GIVING_BACK
        try:
            done = subprocess.run(line, env=variables, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            sys.exit(f"batch {batch}: not done after {PATIENCE:.0f} s, so the search ends here")
        if not done.returncode:
            found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return found
    if done.returncode == KILLED or any(words in done.stderr for words in OUT_OF_MEMORY):
        return None
    sys.exit(f"batch {batch}: failed, and not for lack of memory:\n{done.stderr.strip()}")


def comparison(found: dict[str, Any], batch: int, options: argparse.Namespace) -> str:
    """The peak beside the estimate of `compatsolver fit`, without what that reserves for the GPU's context."""
    estimate, why = estimated(found, batch, options)
    if estimate is None:
        return f"peak {size(found['peak'])}, no estimate: {why}"
    return f"peak {size(found['peak'])}, estimate {size(estimate)} ({found['peak'] / estimate - 1:+.0%} measured)"


def estimated(found: dict[str, Any], batch: int, options: argparse.Namespace) -> tuple[int | None, str]:
    """Bytes, or why there are none."""
    program = shutil.which(os.environ.get("COMPATSOLVER", "compatsolver"))
    if not program:
        return None, "compatsolver is not on the PATH; COMPATSOLVER=path/to/compatsolver names it"
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config.json")
        config.write_text(json.dumps(found["config"]), encoding="utf-8")
        line = [program, "fit", str(config), "--method=lora", "--format=json", f"--batch={batch}"]
        line += [f"--sequence={options.sequence}", f"--rank={options.rank}", f"--adapt={options.adapt}"]
        line += [f"--precision={SAME_IN_FIT[found['precision']]}"]
        line += ["--checkpointing"] * options.checkpointing + ["--accumulates"] * (options.accumulate > 1)
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr.strip().partition("\n")[0]
    numbers = json.loads(done.stdout)["bytes"]
    return numbers["total"] - numbers["reserve"], ""


def size(count: int) -> str:
    """Bytes in the unit people compare with a GPU's memory."""
    return f"{count / GIB:.2f} GiB" if count >= GIB // 100 else f"{count / (1 << 20):.2f} MiB"
