"""The architecture's rules, read from the imports: docs/architecture.md describes the floors."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[1] / "src" / "compatsolver"
FLOORS = (
    ("model", "errors", "files"),
    ("catalog", "observation", "requirements", "index", "emitters"),
    ("solver", "records"),
    ("explanation",),
    ("locking", "cells", "validation", "authoring"),
    ("environments",),
    ("render",),
    ("reading",),
    ("api",),
    ("cli", "__main__", "__init__"),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
ALLOWED_SIBLINGS = {("errors", "model"), ("files", "errors"), ("__main__", "cli")}
MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 40
SAYS_NOTHING = {"util", "utils", "helper", "helpers", "manager", "managers", "common", "misc", "core", "lib", "tools"}
FILES = sorted(PACKAGE.rglob("*.py"))
BY_NAME = {path.relative_to(PACKAGE).as_posix(): path for path in FILES}


def room_of(name: str) -> str:
    """The room a file lives in: its first folder, or its own name at the top."""
    return name.partition("/")[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Rooms of this package that a file imports, with the line; those for types only and inside functions count too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module in _modules(node):
                package, _, rest = module.partition(".")
                if package == "compatsolver":
                    yield rest.partition(".")[0] or "__init__", node.lineno


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.module == "compatsolver":
        return [f"compatsolver.{alias.name}" for alias in node.names]
    return [node.module or ""]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    docstring = ast.get_docstring(node) or ""
    return (node.end_lineno or node.lineno) - node.lineno + 1 - (docstring.count("\n") + 1 if docstring else 0)


def parsed(name: str) -> ast.Module:
    return ast.parse(BY_NAME[name].read_text(encoding="utf-8"))


def imported_files(name: str) -> set[str]:
    """Files of this package that one imports, for types and inside functions too."""
    found = set()
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module in _modules(node):
                path = module.removeprefix("compatsolver.").replace(".", "/")
                names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
                found |= {f"{path}.py", *(f"{path}/{each}.py" for each in names)} & set(BY_NAME)
    return found


def test_files_do_not_import_each_other_in_a_circle() -> None:
    assert list(TopologicalSorter({name: imported_files(name) for name in BY_NAME}).static_order())


def test_every_room_has_a_floor() -> None:
    assert {room_of(name) for name in BY_NAME} <= set(FLOOR_OF)


@pytest.mark.parametrize("name", BY_NAME)
def test_imports_go_down(name: str) -> None:
    room = room_of(name)
    for imported, line in imported_rooms(parsed(name)):
        assert imported in FLOOR_OF, f"{name}:{line}: {imported} is on no floor"
        inside = imported == room or (room, imported) in ALLOWED_SIBLINGS
        assert inside or FLOOR_OF[imported] < FLOOR_OF[room], f"{name}:{line}: {room} may not import {imported}"


@pytest.mark.parametrize("name", BY_NAME)
def test_files_and_functions_stay_short(name: str) -> None:
    text = BY_NAME[name].read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES_OF_A_FILE
    lengths = {node.name: length(node) for node in functions(ast.parse(text))}
    assert {function: lines for function, lines in lengths.items() if lines >= MOST_LINES_OF_A_FUNCTION} == {}


@pytest.mark.parametrize("name", BY_NAME)
def test_names_say_something(name: str) -> None:
    assert not SAYS_NOTHING & set(name.removesuffix(".py").split("/"))


@pytest.mark.parametrize("name", BY_NAME)
def test_every_module_and_public_name_is_described(name: str) -> None:
    tree = parsed(name)
    assert ast.get_docstring(tree) or not tree.body or room_of(name) == "__main__"
    described = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    public = [node.name for node in described if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert public == []


def test_rooms_do_not_shadow_the_public_verbs() -> None:
    verbs = {"resolve", "explain", "lock", "matrix", "probe", "check", "validate", "plan", "facts", "compare", "init"}
    assert not verbs & {room_of(name) for name in BY_NAME}
