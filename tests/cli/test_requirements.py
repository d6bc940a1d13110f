from __future__ import annotations

from compatsolver.cli import resolve
from compatsolver.cli.requirements import requirements_of


def test_not_given_is_empty() -> None:
    assert requirements_of(resolve.parse([])) == {
        "files": [],
        "constraints": [],
        "project": None,
        "extras": [],
        "profile": None,
    }


def test_every_flag_reaches_the_library() -> None:
    line = (
        "-r a.txt --requirement b.txt -c c.txt --constraint d.txt --from pyproject.toml --extra train --extra dev"
        " --profile lora"
    )
    assert requirements_of(resolve.parse(line.split())) == {
        "files": ["a.txt", "b.txt"],
        "constraints": ["c.txt", "d.txt"],
        "project": "pyproject.toml",
        "extras": ["train", "dev"],
        "profile": "lora",
    }
