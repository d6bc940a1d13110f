"""The command `compatsolver`: reads flags, calls the library, prints what the renderers make of its answer.

Each command is a module of this package with `parse(arguments) -> Namespace` and `run(options) -> exit code`; only the
one that was asked for is imported.
"""

from __future__ import annotations

import os
import sys
from argparse import Action, Namespace
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit, prepare_streams, say
from compatsolver.errors import CompatError, InputError, ProbeError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

COMMANDS = {
    "resolve": "from a GPU, a driver and a Python to packages that work together",
    "explain": "why it does not run, and the smallest change that mends it",
    "check": "which pins cannot work on a machine, and why",
    "lock": "a plan with everything below it: versions, files and hashes",
    "init": "start a project: lock, set-up, Dockerfile, smoke test, training",
    "sync": "the environment of a lock, proven before it is taken into use",
    "generations": "the environments that sync has made and kept",
    "rollback": "back to one of them",
    "validate": "proof by computing that an environment works on its GPU",
    "fit": "how much memory training takes, and whether a GPU has it",
    "compare": "how machines or locks differ, and what would make them one",
    "probe": "what this machine has, and how each fact was got",
    "matrix": "cells for CI, each of which holds",
    "facts": "what the catalogue knows of a build, a GPU, a driver, a toolkit",
    "catalog": "the facts behind the answers, for those who keep them",
}
EXIT_CODES = """exit codes: 0 resolved · 1 conflict · 2 unreadable request or file
            3 facts are missing · 4 catalogue damaged · 5 budget spent
            6 network, probe or place to write unavailable · 70 internal fault"""

# 128 + SIGPIPE, as a shell reports any tool whose reader went away. Python's own 1 or 120 would read as a verdict.
READER_GONE = 141
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; prints, and never raises for what a user can cause."""
    prepare_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except BrokenPipeError:
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str]) -> int:
    options = Namespace()
    try:
        name = arguments[0] if arguments and arguments[0] in COMMANDS else _parser().parse_args(arguments[:1]).command
        command = import_module(f"compatsolver.cli.{name}")
        options = command.parse(arguments[1:])
        return int(command.run(options))
    except SystemExit as stop:
        return _after_argparse(stop)
    except BrokenPipeError:
        raise
    except CompatError as error:
        return _report(error, options)
    except Exception as fault:
        if os.environ.get("COMPATSOLVER_TRACEBACK"):
            sys.excepthook(*sys.exc_info())
        return _report(_internal_fault(fault), options)


def _after_argparse(stop: SystemExit) -> int:
    """0 after help, 2 after a usage error; argparse leaves its help in the buffer."""
    with suppress(ProbeError):
        emit("")
    return stop.code if isinstance(stop.code, int) else InputError.exit_code


def _parser() -> ArgumentParser:
    commands = "\n".join(f"  {name:<11} {summary}" for name, summary in COMMANDS.items())
    parser = new_parser(
        "compatsolver",
        "Which versions of PyTorch, CUDA and their companions work together on a GPU.",
        f"commands:\n{commands}\n\n{EXIT_CODES}\n\n`compatsolver COMMAND --help` shows a command's flags.",
    )
    parser.add_argument("--version", action=_Version, help="print the version and exit")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    return parser


class _Version(Action):
    """Prints the installed version; reading it is slow, so it is read only when asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)

    def __call__(self, parser: ArgumentParser, *_arguments: Any) -> None:
        from importlib.metadata import version

        emit(f"compatsolver {version('compatsolver')}\n")
        parser.exit()


def _report(error: CompatError, options: Namespace) -> int:
    from compatsolver.render.errors import error_json, error_text

    say(error_text(error))
    if getattr(options, "format", "text") == "json":
        with suppress(BrokenPipeError, ProbeError):
            emit(error_json(error))
    return error.exit_code


def _internal_fault(fault: Exception) -> CompatError:
    return CompatError(
        f"internal fault, no answer was given: {type(fault).__name__}: {fault}",
        hint="please report this with the command line; COMPATSOLVER_TRACEBACK=1 adds the traceback",
    )
