"""The parser all commands are made from."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any, NoReturn


def _formatter(prog: str) -> RawDescriptionHelpFormatter:
    """80 columns. A given width also keeps argparse from importing shutil, and with it the compression modules."""
    return RawDescriptionHelpFormatter(prog, width=80)


PARSER_SETTINGS: dict[str, Any] = {"allow_abbrev": False, "formatter_class": _formatter}
"""No abbreviated flags: a flag added later must not change what an old script means."""


class Parser(ArgumentParser):
    """argparse's, whose errors repeat what was typed."""

    def error(self, message: str) -> NoReturn:
        """Say what cannot be read, without the control characters in it, and stop."""
        from compatsolver.render.lines import printable

        super().error(printable(message))


def new_parser(prog: str, description: str, epilog: str | None = None) -> ArgumentParser:
    """A parser with the settings above; description and epilog are printed as they are broken."""
    return Parser(prog=prog, description=description, epilog=epilog, **PARSER_SETTINGS)
