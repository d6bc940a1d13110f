"""`compatsolver resolve [REQUIREMENT…]`: target → plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import emit, wants_colour
from compatsolver.cli.target import add_target_flags, target_of
from compatsolver.model.resolution import CONFLICT, RESOLVED, UNDETERMINED, Resolution

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json", "markdown")
EXIT_CODES = {RESOLVED: 0, CONFLICT: 1, UNDETERMINED: 3}


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; requirements may stand before, between and after them."""
    parser = new_parser(
        "compatsolver resolve", "From a target and requirements to a plan: packages that work together there."
    )
    parser.add_argument("requirements", nargs="*", metavar="REQUIREMENT", help="as in torchvision or 'torch==2.6.0'")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_requirement_flags(parser)
    add_target_flags(parser)
    return parser.parse_intermixed_args(arguments)


def run(options: Namespace) -> int:
    """Print the plan; the exit code is its verdict."""
    from compatsolver import api

    plan = api.plan(options.requirements, **requirements_of(options), **target_of(options))
    emit(_rendered(plan, options.format))
    return EXIT_CODES[plan.verdict]


def _rendered(plan: Resolution, form: str) -> str:
    if form == "json":
        from compatsolver.render.document import plan_json

        return plan_json(plan)
    if form == "markdown":
        from compatsolver.render.markdown import plan_markdown

        return plan_markdown(plan)
    from compatsolver.render.text import plan_text

    return plan_text(plan, colour=wants_colour())
