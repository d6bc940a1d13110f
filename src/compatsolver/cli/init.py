"""`compatsolver init DIR`: start a project around a lock, with set-up, smoke test and training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.index import add_index_flags, index_of
from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import Progress, emit, say, wants_colour
from compatsolver.cli.target import add_target_flags, target_of
from compatsolver.errors import InsufficientFacts, NoSolution

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; the directory stands first, requirements before, between and after the flags."""
    parser = new_parser(
        "compatsolver init",
        "Start a project: a lock for the target, a script that makes its environment, a\n"
        "Dockerfile, a smoke test, and LoRA training that works without network on a tiny model.",
    )
    parser.add_argument("directory", metavar="DIR", help="made where it is not there")
    parser.add_argument("requirements", nargs="*", metavar="REQUIREMENT", help="besides what training needs")
    parser.add_argument(
        "--force", metavar="FILE", action="append", default=[], help="replace it; repeat it for several"
    )
    parser.add_argument("--keep", metavar="FILE", action="append", default=[], help="leave it as it is; the same")
    parser.add_argument("--base-image", metavar="IMAGE", help="of the Dockerfile, as in IMAGE@DIGEST")
    add_index_flags(parser)
    add_requirement_flags(parser)
    add_target_flags(parser)
    return parser.parse_intermixed_args(arguments)


def run(options: Namespace) -> int:
    """Print what was written and how to go on; where there is no lock, why."""
    from compatsolver import api
    from compatsolver.render.project_text import project_text

    progress = Progress()
    settings = index_of(options) | requirements_of(options) | target_of(options)
    try:
        project = api.init(
            options.directory,
            options.requirements,
            force=options.force,
            keep=options.keep,
            base_image=options.base_image,
            progress=progress,
            **settings,
        )
    except (NoSolution, InsufficientFacts) as refusal:
        progress.close()
        return _explain(refusal)
    finally:
        progress.close()
    emit(project_text(project))
    for text in project.lock.conditions:
        say(f"condition: {text}\n")
    for text in (*project.lock.remarks, *project.lock.notes):
        say(f"note: {text}\n")
    return 0


def _explain(refusal: NoSolution | InsufficientFacts) -> int:
    from compatsolver.render.text import plan_text

    emit(plan_text(refusal.plan, colour=wants_colour()))
    return refusal.exit_code
