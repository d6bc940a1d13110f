"""`environment.yml`: only Python and pip from conda, and a pip section that pip's readers take.

conda itself is not to be had from an index of wheels; what it asks of the file is written down here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from compatsolver.emitters import conda
from compatsolver.emitters.requirements import BEST_MATCH
from compatsolver.errors import InputError
from locks import lock_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import CompletedProcess

    from compatsolver.model.lock import Lock
    from indexes import Indexes


def document(lock: Lock) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(conda.render(lock)["environment.yml"])
    return found


def test_the_file_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    text = conda.render(lock_of())["environment.yml"]
    assert text == golden("lock.environment.yml", text)


def test_it_has_the_shape_that_conda_reads() -> None:
    found = document(lock_of())
    assert set(found) == {"name", "channels", "dependencies"}
    assert all(isinstance(channel, str) for channel in found["channels"])
    *specs, section = found["dependencies"]
    assert specs == ["python=3.12", "pip"]
    assert set(section) == {"pip"}
    assert all(isinstance(line, str) for line in section["pip"])


def test_installers_take_the_pip_section(
    indexes: Indexes, installer: Callable[..., CompletedProcess[str]], written: Callable[..., None]
) -> None:
    """conda writes these lines to a file and gives it to pip."""
    lines = document(indexes.lock)["dependencies"][-1]["pip"]
    written({"condaenv.txt": "\n".join(lines)})
    flags = ("--dry-run", "--require-hashes", *BEST_MATCH.split(), "--target", "here")
    done = installer("uv", "pip", "install", *flags, "-r", "condaenv.txt")
    assert done.returncode == 0, done.stderr
    assert {f" + {package.name}=={package.version}" for package in indexes.lock.packages} <= set(
        done.stderr.splitlines()
    )


def test_a_free_threaded_python_is_a_package_of_its_own() -> None:
    lock = lock_of()._replace(targets=(lock_of().targets[0]._replace(python="3.14t"),))
    assert document(lock)["dependencies"][:2] == ["python=3.14", "python-freethreading"]


def test_a_lock_for_two_pythons_is_refused() -> None:
    targets = tuple(lock_of().targets[0]._replace(python=python) for python in ("3.12", "3.11"))
    with pytest.raises(InputError, match=r"3\.11 and 3\.12"):
        conda.render(lock_of()._replace(targets=targets))
