"""The flags that name requirements beside those typed, the same wherever requirements are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_requirement_flags(parser: ArgumentParser) -> None:
    """Declare the files, the project and the profile that requirements may come from."""
    group = parser.add_argument_group("requirements")
    group.add_argument("-r", "--requirement", metavar="FILE", action="append", default=[], help="a requirements file")
    group.add_argument("-c", "--constraint", metavar="FILE", action="append", default=[], help="a file of constraints")
    group.add_argument("--from", metavar="FILE", dest="project", help="the pyproject.toml of a project")
    group.add_argument("--extra", metavar="NAME", action="append", default=[], help="an extra of that project")
    group.add_argument("--profile", metavar="NAME", help="torch, lora or qlora: packages that go together")


def requirements_of(options: Namespace) -> dict[str, Any]:
    """The flags as the keyword arguments of the library."""
    return {
        "files": options.requirement,
        "constraints": options.constraint,
        "project": options.project,
        "extras": options.extra,
        "profile": options.profile,
    }
