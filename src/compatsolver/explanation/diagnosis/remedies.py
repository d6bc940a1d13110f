"""Fixes of a symptom: templates filled with what was read; where torch or a listed package moves, solved again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.explanation.diagnosis.names import filled
from compatsolver.explanation.fixes.archive import archived_builds
from compatsolver.explanation.fixes.cost import OTHER, SAME_RELEASE, cost
from compatsolver.explanation.fixes.moves import Wanted, move_package, move_torch
from compatsolver.explanation.fixes.premises import problem_of, torch_mask
from compatsolver.explanation.fixes.repairs import priced_move
from compatsolver.model.component import NONE
from compatsolver.model.fix import Fix
from compatsolver.observation.pasted.report_keys import on_index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.diagnosis.names import Names
    from compatsolver.explanation.diagnosis.symptoms import Hit
    from compatsolver.explanation.fixes.stack import Stack

ANY = "any"
_PIP_INSTALL = re.compile(r"\bpip install ([^&|;]+)")
_NAME = re.compile(r"[A-Za-z][\w.-]*(?=[<>=!~]|$)")


def remedies(catalog: Catalog, stack: Stack, hit: Hit) -> list[tuple[int, Fix]]:
    """What the symptom's row offers, each with its cost."""
    priced: list[tuple[int, Fix]] = []
    for row in hit.row.get("fixes", ()):
        if row["change"] == "torch" and ("versions" in row or "cuda" in row) and "to" not in row:
            priced += _torch(catalog, stack, row, hit.names)
        elif "versions" in row:
            priced += _package(catalog, stack, row, hit.names)
        else:
            fix = _written(row, hit.names)
            priced += [(cost(fix, OTHER), fix)] if fix else []
    return priced


def _torch(catalog: Catalog, stack: Stack, row: Mapping[str, Any], names: Names) -> Iterator[tuple[int, Fix]]:
    cuda, versions = filled(row.get("cuda", ANY), names), filled(row.get("versions", ""), names)
    if cuda is None or versions is None or not (_readable(cuda) and _readable(versions)):
        return
    runtime = None if cuda in (ANY, NONE) else cuda
    kept = [entry for entry in problem_of(catalog, stack).assumptions if entry.slot not in ("torch", "cuda")]
    unlisted = problem_of(catalog, stack, torch=0)
    hosts = [entry for entry in unlisted.assumptions if entry.slot != "cuda"]
    for fix in archived_builds(catalog, stack, unlisted, hosts):
        if not versions and (runtime is None or SpecifierSet(runtime).contains(fix.cuda or "0")):
            yield cost(fix, SAME_RELEASE), fix
    wanted = Wanted(current=_installed(catalog, stack), versions=versions, cuda=runtime, cpu=cuda == NONE)
    for move in move_torch(catalog, stack, kept, wanted):
        yield priced_move(move)


def _installed(catalog: Catalog, stack: Stack) -> int:
    """The build at hand, which no fix may name; a release whose build is open excludes none of its builds."""
    return torch_mask(catalog, stack) if stack.tag or stack.cuda else 0


def _readable(specifier: str) -> bool:
    try:
        SpecifierSet("" if specifier in (ANY, NONE) else specifier)
    except InvalidSpecifier:
        return False
    return True


def _package(catalog: Catalog, stack: Stack, row: Mapping[str, Any], names: Names) -> Iterator[tuple[int, Fix]]:
    """A listed package moves to its nearest release within `versions`; where it is not listed, to their edge."""
    versions = filled(row["versions"], names)
    problem = problem_of(catalog, stack)
    held = next((entry for entry in problem.assumptions if entry.slot == row["change"]), None)
    moves = []
    if held is not None and versions is not None:
        kept = [entry for entry in problem.assumptions if entry is not held]
        moves = list(move_package(catalog, problem, kept, held, versions))
    for move in moves:
        yield priced_move(move)
    if not moves and versions is not None:
        fix = _written({**row, "to": row.get("to", versions)}, names)
        if fix:
            yield cost(fix, OTHER), fix


def _installable(templates: str | Sequence[str], names: Names) -> str | None:
    """The command, unless it would install under a name that was read off a path and that no index is known to have."""
    command = filled(templates, names)
    written = templates if isinstance(templates, str) else " ".join(templates)
    for arguments in _PIP_INSTALL.findall(command or ""):
        for word in arguments.replace("'", " ").split():
            match = _NAME.match(word)
            if match and match[0] not in written and not on_index(match[0]):
                return None
    return command


def _written(row: Mapping[str, Any], names: Names) -> Fix | None:
    change = filled(row["change"], names)
    to = filled(row["to"], names) if "to" in row else None
    cuda = filled(row["cuda"], names) if "cuda" in row else None
    if change is None or ("to" in row and to is None) or ("cuda" in row and cuda is None):
        return None
    action = filled(row["action"], names) if "action" in row else f"Install {change} {to or ''}".rstrip() + "."
    if action is None:
        return None
    command = _installable(row["command"], names) if "command" in row else None
    return Fix(
        change=change,
        to=to,
        cuda=cuda,
        action=action,
        command=command,
        applicability=row.get("applicability", "safe"),
    )
