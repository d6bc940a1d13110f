"""`compatsolver explain [FILE|-]`: the true cause of a failure and the smallest fix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import emit, wants_colour
from compatsolver.cli.target import add_target_flags, machine_of, target_of
from compatsolver.errors import InputError
from compatsolver.model.diagnosis import COMPATIBLE, INCOMPATIBLE, UNDETERMINED, Diagnosis

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json", "markdown", "github")
EXIT_CODES = {COMPATIBLE: 0, INCOMPATIBLE: 1, UNDETERMINED: 3}
_FLAG_OF = {"files": "requirement", "constraints": "constraint", "project": "from", "extras": "extra"}
LARGEST = 64_000_000
"""Bytes of a paste that are read; what lies beyond is not."""


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver explain",
        "Why it does not run, and the smallest change that mends it. Without a file and\n"
        "without --environment this machine is read.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a pasted text: log, traceback, listing; - is stdin")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    parser.add_argument("--kind", metavar="KIND", help="print the page of a kind of fault, or `list` the kinds")
    parser.add_argument("--why", metavar="NAME", help="on the plan that the other flags ask for: why this pin")
    parser.add_argument("--why-not", metavar="REQUIREMENT", help="what keeps this out of that plan")
    add_requirement_flags(parser)
    add_target_flags(parser)
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the diagnosis; the exit code is its verdict."""
    from compatsolver import api

    if options.kind:
        return _kind(options)
    if options.why or options.why_not:
        return _why(options)
    _refuse_requests(options)
    diagnosis = api.explain(
        text=_text(options.file), catalog=options.catalog, overlay=options.overlay, **machine_of(options)
    )
    emit(rendered(diagnosis, options.format))
    return EXIT_CODES[diagnosis.verdict]


def _refuse_requests(options: Namespace) -> None:
    """What asks for a plan says nothing of what is broken; it is refused rather than passed over."""
    asked = {**requirements_of(options), "cuda": options.cuda}
    given = [_FLAG_OF.get(name, name) for name, value in asked.items() if value]
    if given:
        raise InputError(
            f"--{given[0]} asks for a plan, and nothing of that kind is diagnosed",
            hint="add --why or --why-not, or judge pins with `compatsolver check`",
        )


def _kind(options: Namespace) -> int:
    from compatsolver.catalog.load import bundled, open_catalog
    from compatsolver.explanation.diagnosis.kinds import kind_row, kind_rows
    from compatsolver.render.kind_page import kind_list, kind_markdown, kind_text

    catalog = open_catalog(options.catalog) if options.catalog else bundled()
    if options.kind == "list":
        emit(kind_list(kind_rows(catalog)))
    else:
        page = kind_markdown if options.format == "markdown" else kind_text
        emit(page(*kind_row(catalog, options.kind)))
    return 0


def _why(options: Namespace) -> int:
    from compatsolver import api
    from compatsolver.render.reasons_text import reasons_text

    asked = requirements_of(options) | target_of(options)
    plan = api.plan((), **asked)
    if options.why_not:
        emit(reasons_text(plan, options.why_not, api.plan((options.why_not,), **asked)))
        return 0
    pin = next((pin for pin in plan.pins if pin.name == options.why), None)
    newer = api.plan((f"{options.why}>{pin.version}",), **asked) if pin else plan
    emit(reasons_text(plan, options.why, newer))
    return 0


def _text(file: str | None) -> bytes | None:
    if file is None:
        return None
    if file == "-":
        return sys.stdin.buffer.read(LARGEST)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST)
    except OSError as error:
        raise InputError(
            f"{file}: {error.strerror or error}", hint="check the path; `-` reads standard input"
        ) from None


def rendered(diagnosis: Diagnosis, form: str) -> str:
    """A diagnosis in one of the formats."""
    if form == "json":
        from compatsolver.render.document import document

        return document(diagnosis.to_dict())
    if form == "markdown":
        from compatsolver.render.diagnosis_markdown import diagnosis_markdown

        return diagnosis_markdown(diagnosis)
    if form == "github":
        from compatsolver.render.annotations import github_annotations

        return github_annotations(diagnosis)
    from compatsolver.render.diagnosis_text import diagnosis_text

    return diagnosis_text(diagnosis, colour=wants_colour())
