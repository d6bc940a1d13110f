"""What the commands on the bundled catalogue never import, because each of these costs more than the answer does."""

from __future__ import annotations

import subprocess
import sys

import pytest

NEVER_IMPORTED = {
    "httpx",
    "importlib.metadata",
    "logging",
    "numpy",
    "packaging.requirements",
    "pydantic",
    "rich",
    "ssl",
    "subprocess",
    "torch",
    "yaml",
}
MACHINE = ("--gpu", "RTX 4090", "--driver", "535.98", "--platform", "linux-x86_64", "--python", "3.12")
COMMANDS = {
    "resolve": ("resolve", "torchvision", *MACHINE),
    "resolve with pins": ("resolve", "torch>=2.6,<2.10", "transformers", "bitsandbytes", *MACHINE, "--cuda", "12.6"),
    "resolve as json": ("resolve", *MACHINE, "--format", "json"),
    "conflict": ("resolve", "torch==2.15.0", "--gpu", "V100", "--driver", "470.256.02", *MACHINE[4:]),
    "undetermined": ("resolve", "torch==2.99", *MACHINE),
}
IMPORTED = """
import sys
before = set(sys.modules)
from compatsolver.cli import main
main(sys.argv[1:])
print(*(set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_nothing_heavy_is_imported(arguments: tuple[str, ...]) -> None:
    line = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout
    assert NEVER_IMPORTED.isdisjoint(done.stderr.split())
