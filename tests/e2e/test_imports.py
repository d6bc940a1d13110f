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
    "compatsolver.catalog.gpu_words",
    "compatsolver.explanation.changes",
    "compatsolver.explanation.cores",
    "compatsolver.explanation.narration",
    "compatsolver.explanation.fixes.repairs",
    "compatsolver.explanation.ranges",
    "compatsolver.model.environment",
    "compatsolver.observation.target",
    "compatsolver.render.fixes",
    "dataclasses",
    "datetime",
    "hashlib",
    "inspect",
    "packaging",
    "pathlib",
}
"""Not where there is a plan, the whole target is given in usual words and no requirement names a version."""

MACHINE = (
    *("--gpu", "RTX 4090", "--driver", "535.98"),
    *("--platform", "linux-x86_64", "--python", "3.12", "--glibc", "2.35"),
)
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

KEPT_AS_TEXT = """
import contextlib, io, sys, typing
from compatsolver.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
modules = [module for name, module in sys.modules.items() if name.startswith("compatsolver.")]
values = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
named = [value for value in values if issubclass(value, tuple) and hasattr(value, "_fields")]
is_text = lambda annotation: isinstance(annotation, (str, typing.ForwardRef))
texts = [value for value in named if any(map(is_text, value.__annotations__.values()))]
print(len(named), *sorted(value.__name__ for value in texts))
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


def test_probe_reads_no_catalogue_and_imports_nothing_of_the_stack() -> None:
    brought = imported_by("probe")
    assert brought & {"compatsolver.catalog", "compatsolver.solver", "numpy", "pynvml", "torch", "yaml"} == set()


def test_the_package_alone_brings_in_no_catalogue() -> None:
    program = "import sys, compatsolver; print(*[name for name in sys.modules if name.startswith('compatsolver')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert set(done.stdout.split()) == {"compatsolver", "compatsolver.errors"}


def test_no_named_tuple_of_a_plan_has_to_compile_its_annotations() -> None:
    line = [sys.executable, "-c", KEPT_AS_TEXT, *PLAIN["text"]]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", timeout=60, check=True)
    count, *texts = done.stdout.split()
    assert int(count) > 20
    assert texts == []
