"""The contributor's manual, in the form of a program.

    python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'    once
    .venv/bin/nox                      what a change must pass: tests, lint, types, data
    .venv/bin/nox -s tests-3.12        the tests on one interpreter
    .venv/bin/nox -s tests -- -k core  arguments after `--` go to pytest
    .venv/bin/nox -s lint -- --fix     arguments after `--` go to `ruff check`
    .venv/bin/nox -s validate          the checks of `validate` on a real CPU stack; installs torch
    .venv/bin/nox -s lock              locks of the real indexes, installed by pip and uv; needs the network
    .venv/bin/nox -l                   every session, with its first line

`tests` runs on each declared Python (the classifiers of pyproject.toml) that this machine has, on PATH or under pyenv.
The interpreter that runs nox always counts, so there is at least one. `.ci/run` is the whole check, as CI runs it.

Every session installs the project in editable mode. That compiles `data/matrices/` first: a table that fails its lint
stops the session before anything else can. After editing a table, `compatsolver catalog compile` refreshes the file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["tests", "lint", "types", "data"]

PYPROJECT = nox.project.load_toml("pyproject.toml")
DECLARED = nox.project.python_versions(PYPROJECT)


def reveal_pyenv() -> None:
    """Put pyenv's interpreters on PATH: its shims answer only for the versions that are activated."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    directories = [str(path) for path in sorted(root.glob("versions/3.*/bin"))]
    os.environ["PATH"] = os.pathsep.join([*directories, os.environ["PATH"]])


def is_available(version: str) -> bool:
    """Whether this machine can start that Python; a name on PATH alone may be a shim without a target."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return True
    executable = shutil.which(f"python{version}")
    if executable is None:
        return False
    return subprocess.run([executable, "-c", ""], check=False, capture_output=True).returncode == 0


reveal_pyenv()


@nox.session(python=[version for version in DECLARED if is_available(version)])
def tests(session: nox.Session) -> None:
    """Run the tests on every declared Python that is installed here."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and formatting with ruff."""
    session.install(*(name for name in PYPROJECT["project"]["optional-dependencies"]["dev"] if name.startswith("ruff")))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy, strictly, as for the oldest declared Python."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session
def data(session: nox.Session) -> None:
    """Lint the fact tables."""
    session.install("-e", ".[authoring]")
    session.run("python", "-m", "compatsolver", "catalog", "lint")


@nox.session
def validate(session: nox.Session) -> None:
    """Run the checks of `validate` and a project of `init` on a real stack; not part of CI, for its size.

    `TORCH` names another torch than the one below, of any build. Where the index has no CPU build of it, it is
    gigabytes.
    """
    stack = ("transformers", "peft", "accelerate", "bitsandbytes", "ninja")
    session.install("-e", ".[test]", os.environ.get("TORCH", "torch==2.13.0"), *stack)
    session.run("pytest", "tests/validation_real", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Lock from the real indexes and install with pip and uv; not part of CI, for it needs the network.

    `TORCH_WHEEL` names a CPU wheel of torch on this disk for this Python, where PyTorch's index is out of reach.
    """
    session.install("-e", ".[test]")
    session.run("pytest", "tests/locking_real", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Hold the solver to complete branch coverage."""
    session.install("-e", ".[test]")
    session.run("coverage", "run", "-m", "pytest", *session.posargs)
    session.run("coverage", "report")


@nox.session
def soak(session: nox.Session) -> None:
    """Compare the engine with brute force on a million random universes; takes long."""
    session.install("-e", ".[test]")
    session.run("pytest", "tests/property", *session.posargs, env={"COMPATSOLVER_UNIVERSES": "1000000"})


@nox.session
def mutation(session: nox.Session) -> None:
    """Shift single facts and report which of them nothing notices; takes half an hour, and goes on where it stopped."""
    session.install("-e", ".[test]")
    session.run("python", "tests/mutation/survey.py", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def bench(session: nox.Session) -> None:
    """Print and write down the ratios of every script in benchmarks/; `-- --compare` holds them to the baseline."""
    session.install(".[benchmarks]")
    session.run("python", "-m", "measuring.suite", *session.posargs, env={"PYTHONPATH": "benchmarks"})


@nox.session
def docs(session: nox.Session) -> None:
    """Check that the links between the documents resolve."""
    session.install("-e", ".[test]")
    session.run("pytest", "tests/docs", *session.posargs)
