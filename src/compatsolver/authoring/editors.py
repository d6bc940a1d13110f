"""The shape of the tables as JSON Schema, so that editors complete keys and mark slips while a table is written."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import date
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from compatsolver.authoring.rows import Row
from compatsolver.authoring.tablefiles import FILES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
    type(None): {"type": "null"},
}


def tables_schema() -> dict[str, Any]:
    """One schema for every file under `data/matrices/`; its `table` decides which rows it holds."""
    definitions: dict[str, Any] = {}
    for kind in FILES.values():
        _define(kind, definitions)
    chosen = [
        {"if": {"properties": {"table": {"const": table}}}, "then": {"$ref": f"#/$defs/{kind.__name__}"}}
        for table, kind in FILES.items()
    ]
    return {
        "$schema": DIALECT,
        "title": "Tables of facts under data/matrices, compatsolver.data/1",
        "type": "object",
        "required": ["schema", "table", "horizon"],
        "properties": {"table": {"enum": list(FILES)}},
        "allOf": chosen,
        "$defs": dict(sorted(definitions.items())),
    }


def _define(kind: type[Row], definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to a row's definition, which is made where it is not there yet."""
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}
        hints = get_type_hints(kind, include_extras=True)
        columns = fields(kind)  # type: ignore[arg-type]
        keys = {column.name: column.name.rstrip("_") for column in columns}
        required = [keys[c.name] for c in columns if c.default is MISSING and c.default_factory is MISSING]
        definitions[kind.__name__] = {
            "description": " ".join((kind.__doc__ or "").split()),
            "type": "object",
            "additionalProperties": False,
            "required": required,
            "properties": {keys[name]: _shape(hints[name], definitions) for name in keys},
        }
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _shape(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _shape(arguments[1].kind, definitions)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [_shape(each, definitions) for each in arguments]}
    if origin is list:
        return {"type": "array", "items": _shape(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _shape(arguments[1], definitions)}
    if issubclass(kind, Row):
        return _define(kind, definitions)
    return {"enum": [member.value for member in kind]} if issubclass(kind, Enum) else _SCALARS[kind]
