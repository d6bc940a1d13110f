"""`compatsolver explain [FILE|-]`: the true cause of a failure and the smallest fix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit, wants_colour
from compatsolver.cli.target import add_catalog_flag
from compatsolver.errors import ProbeError
from compatsolver.model.diagnosis import COMPATIBLE, INCOMPATIBLE, UNDETERMINED, Diagnosis

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json", "markdown", "github")
EXIT_CODES = {COMPATIBLE: 0, INCOMPATIBLE: 1, UNDETERMINED: 3}
LARGEST = 64_000_000


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver explain",
        "Why it does not run, and the smallest change that mends it. Without a file and\n"
        "without --environment this machine is read.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a pasted text: log, traceback, listing; - is stdin")
    parser.add_argument("--environment", metavar="FILE", type=Path, help="YAML or JSON about the machine")
    parser.add_argument("--kind", metavar="KIND", help="print the page of a kind of fault, or `list` them")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_catalog_flag(parser.add_argument_group("catalogue"))
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the diagnosis; the exit code is its verdict."""
    from compatsolver import api

    if options.kind:
        emit(api.kind_page(options.kind, catalog=options.catalog))
        return 0
    diagnosis = api.explain(text=_text(options.file), environment=options.environment, catalog=options.catalog)
    emit(rendered(diagnosis, options.format))
    return EXIT_CODES[diagnosis.verdict]


def _text(file: str | None) -> bytes | None:
    if file is None:
        return None
    if file == "-":
        return sys.stdin.buffer.read(LARGEST)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST)
    except OSError as error:
        raise ProbeError(f"{file}: {error.strerror or error}", hint="check the path; `-` reads standard input") from None


def rendered(diagnosis: Diagnosis, form: str) -> str:
    """A diagnosis in one of the formats."""
    if form == "json":
        from compatsolver.render.document import document

        return document(diagnosis.to_dict())
    if form == "markdown":
        from compatsolver.render.diagnosis_markdown import diagnosis_markdown

        return diagnosis_markdown(diagnosis)
    if form == "github":
        from compatsolver.render.annotations import annotations

        return annotations(diagnosis)
    from compatsolver.render.diagnosis_text import diagnosis_text

    return diagnosis_text(diagnosis, colour=wants_colour())


