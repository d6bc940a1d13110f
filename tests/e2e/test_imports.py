"""What the commands on the bundled catalogue never import, because each of these costs more than it gives there.

benchmarks/ has the prices; docs/performance.md says what was done to get rid of them.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NEVER = {
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
NOT_FOR_A_PLAN = {
    "compatsolver.explanation.cores",
    "compatsolver.explanation.narration",
    "compatsolver.explanation.fixes.repairs",
    "dataclasses",
    "datetime",
    "inspect",
    "packaging",
    "pathlib",
}
"""Not where there is a plan and no requirement names a version."""

MACHINE = ("--gpu", "RTX 4090", "--driver", "535.98", "--platform", "linux-x86_64", "--python", "3.12")
PLAIN = {
    "text": ("resolve", "torchvision", "transformers", *MACHINE),
    "json": ("resolve", *MACHINE, "--format", "json"),
}
OTHERS = {
    "facts": ("facts", "torch==2.9.1+cu128", "--platform", "linux-x86_64"),
    "pins": ("resolve", "torch>=2.6,<2.10", "transformers", "bitsandbytes", *MACHINE, "--cuda", "12.6"),
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


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command line brings in beyond those of a bare interpreter."""
    line = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", PLAIN.values(), ids=PLAIN)
def test_a_plan_imports_no_more_than_it_needs(arguments: tuple[str, ...]) -> None:
    assert imported_by(*arguments) & (NEVER | NOT_FOR_A_PLAN) == set()


@pytest.mark.parametrize("arguments", OTHERS.values(), ids=OTHERS)
def test_other_commands_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert imported_by(*arguments) & NEVER == set()


def test_check_imports_nothing_heavy(tmp_path: Path) -> None:
    listing = tmp_path / "requirements.txt"
    listing.write_text("torch==2.6.0\ntransformers==4.40.0\n", encoding="utf-8")
    assert imported_by("check", "-r", str(listing), *MACHINE) & NEVER == set()


def test_the_package_alone_brings_in_no_catalogue() -> None:
    program = "import sys, compatsolver; print(*[name for name in sys.modules if name.startswith('compatsolver')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert set(done.stdout.split()) == {"compatsolver", "compatsolver.errors"}
