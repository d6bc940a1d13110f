"""`compatsolver validate`: run the checks in an environment and report what came of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.files import write_whole
from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit, say, wants_colour
from compatsolver.cli.target import add_catalog_flags
from compatsolver.model.memory import GIB
from compatsolver.model.validation import DEVICES, FAILED

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from compatsolver.model.validation import ValidationReport

FORMATS = ("text", "json", "junit")


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver validate",
        "Proof by computing: checks in processes of their own, with limits on time, on the\n"
        "environment of an interpreter, which needs nothing installed but the stack itself.",
        "exit codes: 0 all checks that ran passed · 1 one failed · 2 interpreter or lock unreadable",
    )
    parser.add_argument("--python", metavar="PATH", help="the interpreter of the environment; by default this one")
    parser.add_argument("--device", choices=DEVICES, default=DEVICES[0], help="auto is cuda wherever there is a GPU")
    parser.add_argument("--lock", metavar="FILE", type=Path, help="pylock.toml that the environment should be")
    parser.add_argument("--only", metavar="NAMES", default="", help="checks to run, as in matmul-bf16,lora")
    parser.add_argument("--memory", action="store_true", help="also measure memory and hold the formula of `fit` to it")
    parser.add_argument(
        "--within", type=float, metavar="SECONDS", help="for all checks together; later ones are skipped"
    )
    parser.add_argument("--memory-limit", type=float, metavar="GIB", help="for each check; on CUDA none by default")
    parser.add_argument(
        "--attestation", metavar="FILE", type=Path, help="write what a confirmed GPU has shown to a file"
    )
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the report is printed")
    add_catalog_flags(parser.add_argument_group("choice"))
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the report; 1 where a check failed."""
    from compatsolver import api

    report = api.validate(
        options.python,
        device=options.device,
        lock=options.lock,
        only=[name.strip() for name in options.only.split(",") if name.strip()],
        sizing=options.memory,
        within=options.within,
        memory=int(options.memory_limit * GIB) if options.memory_limit else None,
        catalog=options.catalog,
        overlay=options.overlay,
        progress=_progress if sys.stderr is not None and sys.stderr.isatty() else None,
    )
    if options.attestation:
        _keep(options.attestation, report)
    emit(_rendered(report, options.format))
    return int(report.status == FAILED)


def _progress(title: str) -> None:
    say(f"{title} …\n")


def _keep(path: Path, report: ValidationReport) -> None:
    if not report.confirmed:
        say("no attestation was written, because nothing is confirmed\n")
        return
    from compatsolver.render.document import document
    from compatsolver.validation.attestations import attestation_of

    write_whole(path, document(attestation_of(report)).encode(), "--attestation")


def _rendered(report: ValidationReport, form: str) -> str:
    if form == "json":
        from compatsolver.render.document import document

        return document(report.to_dict())
    if form == "junit":
        from compatsolver.render.junit import validation_junit

        return validation_junit(report)
    from compatsolver.render.validation_text import validation_text

    return validation_text(report, colour=wants_colour())
