"""Quoting of arguments for the shell of the target's platform."""

from __future__ import annotations


def quoted(argument: str, platform: str) -> str:
    """One argument, safe to paste: double quotes serve PowerShell and cmd, single quotes every POSIX shell.

    Arguments are package names, versions and index URLs, none of which may hold a quote; raises ValueError if one does.
    """
    if any(mark in argument for mark in "'\"`$\n"):
        raise ValueError(f"cannot be quoted safely: {argument!r}")
    return f'"{argument}"' if platform.startswith("windows") else f"'{argument}'"
