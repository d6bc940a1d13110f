"""Rows: frozen values with annotated columns, read from YAML without conversions, all problems at once.

A small stand-in for a validation library, because overlays are read by everyone and such libraries are heavy: what it
knows are the annotations the tables use. Attribute names are keys; a trailing underscore is not part of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from datetime import date
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_settings):
        """Tell type checkers what `Row` does to its subclasses; nothing at run time."""
        return lambda kind: kind


Place = tuple[int | str, ...]
"""Keys and positions from a file's top to a value."""


class Problem(NamedTuple):
    """A value that is not what its column takes, and what to do about it."""

    place: Place
    message: str
    tip: str | None = None


Reader = Callable[[Any, Place, list[Problem]], Any]
"""Gives the value for a column, or adds what is wrong with it to the list."""


class Written(NamedTuple):
    """For `Annotated`: a column that is written as one kind of value and means another."""

    kind: Any
    convert: Callable[[Any], Any]


class RowError(ValueError):
    """A mapping is not the row it should be; `problems` lists all that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(f"{'.'.join(map(str, place))}: {message}" for place, message, _ in problems))
        self.problems = problems


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Row:
    """Base of all rows: immutable, no keys but those declared; a column without default is required."""

    def __init_subclass__(cls) -> None:
        for name, default in list(vars(cls).items()):
            if isinstance(default, (list, dict)) and name in cls.__annotations__:
                setattr(cls, name, field(default_factory=type(default)))
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def read(cls, value: Any) -> Self:
        """The row in a mapping; raises RowError with everything that is wrong."""
        problems: list[Problem] = []
        kind: Any = cls
        row = reader_of(kind)(value, (), problems)
        if problems:
            raise RowError(problems)
        assert isinstance(row, cls)
        return row

    def columns(self) -> Iterator[tuple[str, Any]]:
        """Keys with their values, in the order they are declared."""
        for key, name in _columns(type(self)):  # type: ignore[arg-type]
            yield key, getattr(self, name)

    def contradictions(self) -> Iterator[str]:
        """What is wrong between the columns of a row each of which is right."""
        yield from ()


@cache
def _columns(kind: type[Row]) -> tuple[tuple[str, str], ...]:
    """The keys of a kind of row with the names of its attributes."""
    return tuple((column.name.rstrip("_"), column.name) for column in fields(kind))  # type: ignore[arg-type]


def plain(value: Any) -> Any:
    """A row as the mapping it is read from, columns at their defaults left out; lists and mappings likewise."""
    if isinstance(value, Row):
        defaults = {column.name.rstrip("_"): _default(column) for column in fields(value)}  # type: ignore[arg-type]
        return {key: plain(inside) for key, inside in value.columns() if inside != defaults[key]}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value.value if isinstance(value, Enum) else value


def _default(column: Any) -> Any:
    return column.default_factory() if column.default_factory is not MISSING else column.default


@cache
def reader_of(kind: Any) -> Reader:
    """The reader for an annotation: a row, a scalar, a list, a mapping, a choice, or a choice between these."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _converted(arguments[1])
    if origin is Literal:
        return _choice(arguments)
    if origin in (Union, UnionType):
        return _either(arguments)
    if origin is list:
        return _list(reader_of(arguments[0]))
    if origin is dict:
        return _mapping(reader_of(arguments[0]), reader_of(arguments[1]))
    if kind is Any:
        return lambda value, _place, _problems: value
    if issubclass(kind, Row):
        return _row(kind)
    return _enum(kind) if issubclass(kind, Enum) else _scalar(kind)


_MISSING = ("the key is missing", "write it, with null where nobody knows the value")


def _row(kind: type[Row]) -> Reader:
    hints = get_type_hints(kind, include_extras=True)
    columns = fields(kind)  # type: ignore[arg-type]
    readers = {column.name.rstrip("_"): (column.name, reader_of(hints[column.name])) for column in columns}
    required = [column.name.rstrip("_") for column in columns if _default(column) is MISSING]

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        if not isinstance(value, dict):
            problems.append(Problem(place, "should be a mapping of keys to values"))
            return None
        before = len(problems)
        problems += [Problem((*place, key), *_MISSING) for key in required if key not in value]
        read_columns = {}
        for key, entry in value.items():
            if key in readers:
                name, reader = readers[key]
                read_columns[name] = reader(entry, (*place, key), problems)
            else:
                tip = "docs/data-format.md has the keys of every table"
                problems.append(Problem((*place, key), "not a key of this row", tip))
        if len(problems) > before:
            return None
        row = kind(**read_columns)
        problems.extend(Problem(place, message) for message in row.contradictions())
        return row

    return read


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", date: "a day"}
_TIPS = {str: "write it in quotes", date: "write a day as 2026-11-30, without quotes"}


def _scalar(kind: type) -> Reader:
    if kind is type(None):
        return _choice((None,))
    accepted = (float, int) if kind is float else (kind,)

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        if type(value) not in accepted:
            problems.append(Problem(place, f"should be {_NAMES[kind]}", _TIPS.get(kind)))
        return value

    return read


def _choice(options: tuple[Any, ...]) -> Reader:
    *others, last = ("null" if option is None else repr(option) for option in options)
    expected = f"should be {', '.join(others)} or {last}" if others else f"should be {last}"

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        if value not in options or isinstance(value, bool):
            tip = "quote yes and no, which YAML reads as true and false" if isinstance(value, bool) else None
            problems.append(Problem(place, expected, tip))
        return value

    return read


def _either(kinds: tuple[Any, ...]) -> Reader:
    """The first alternative that takes the value; else what the first one says, which is the one that is usual."""
    readers = [reader_of(kind) for kind in kinds]

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        found: list[list[Problem]] = []
        for reader in readers:
            found.append([])
            result = reader(value, place, found[-1])
            if not found[-1]:
                return result
        problems.extend(found[0])
        return None

    return read


def _list(reader: Reader) -> Reader:
    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        if not isinstance(value, list):
            problems.append(Problem(place, "should be a list"))
            return None
        return [reader(entry, (*place, position), problems) for position, entry in enumerate(value)]

    return read


def _mapping(keys: Reader, values: Reader) -> Reader:
    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        if not isinstance(value, dict):
            problems.append(Problem(place, "should be a mapping of keys to values"))
            return None
        inside = {key: (*place, key) for key in value}
        return {keys(key, inside[key], problems): values(entry, inside[key], problems) for key, entry in value.items()}

    return read


def _enum(kind: type[Enum]) -> Reader:
    choice = _choice(tuple(member.value for member in kind))

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        before = len(problems)
        choice(value, place, problems)
        return kind(value) if len(problems) == before else None

    return read


def _converted(written: Written) -> Reader:
    reader = reader_of(written.kind)

    def read(value: Any, place: Place, problems: list[Problem]) -> Any:
        before = len(problems)
        result = reader(value, place, problems)
        if len(problems) == before:
            try:
                return written.convert(result)
            except ValueError as error:
                problems.append(Problem(place, str(error)))
        return None

    return read
