"""Collectives between processes that torchrun starts: one for each GPU with NCCL, two with Gloo on a CPU."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from datetime import timedelta
from typing import Any

CPU_PROCESSES = 2
PATIENCE = timedelta(seconds=60)


def launch(settings: dict[str, Any]) -> dict[str, Any]:
    """Have torchrun start this file once for each process, and read what the first of them found."""
    import torch

    device = settings["device"]
    if not torch.distributed.is_available():
        return {"skipped": "this build of torch has no torch.distributed"}
    count = CPU_PROCESSES if device == "cpu" else torch.cuda.device_count()
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder, "result.json")
        runner = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={count}"]
        done = subprocess.run([*runner, __file__, device, str(result)], check=False, capture_output=True, text=True)
        sys.stderr.write(done.stdout + done.stderr)
        if done.returncode or not result.exists():
            lines = (done.stdout + done.stderr).strip().splitlines()
            return {"problems": [f"torchrun ended with {done.returncode}", *lines[-20:]], "error": done.stderr}
        return json.loads(result.read_text(encoding="utf-8"))


def take_part(device: str, result: str) -> None:
    """One process of the group; rank 0 writes the result."""
    import torch
    from torch import distributed

    if hasattr(signal, "alarm"):
        signal.alarm(int(PATIENCE.total_seconds()) + 10)
    backend = "gloo" if device == "cpu" else "nccl"
    if device != "cpu":
        device = f"cuda:{os.environ['LOCAL_RANK']}"
        torch.cuda.set_device(device)
    distributed.init_process_group(backend, timeout=PATIENCE)
    rank, size = distributed.get_rank(), distributed.get_world_size()
    problems = _exchanged(torch, distributed, device)
    distributed.barrier()
    distributed.destroy_process_group()
    if rank == 0:
        document = {"numbers": {"backend": backend, "processes": size}, "problems": problems}
        pathlib.Path(result).write_text(json.dumps(document), encoding="utf-8")


def _exchanged(torch: Any, distributed: Any, device: str) -> list[Any]:
    rank, size = distributed.get_rank(), distributed.get_world_size()
    total = torch.full((1000,), float(rank + 1), device=device)
    distributed.all_reduce(total)
    told = torch.full((10,), float(rank), device=device)
    distributed.broadcast(told, src=size - 1)
    gathered = [torch.zeros(4, device=device) for _ in range(size)]
    distributed.all_gather(gathered, torch.full((4,), float(rank), device=device))
    wanted = {
        "all_reduce": bool((total == size * (size + 1) / 2).all()),
        "broadcast": bool((told == size - 1).all()),
        "all_gather": all(bool((each == index).all()) for index, each in enumerate(gathered)),
    }
    return [f"{name} gave wrong numbers" for name, right in wanted.items() if not right]


if __name__ == "__main__":
    take_part(*sys.argv[1:])
