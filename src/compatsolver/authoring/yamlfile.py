"""YAML as plain values that remember their lines.

The tables use a small part of YAML: no anchors, aliases or merge keys (so no file expands beyond its own size), no
key twice, no tags. Dates are read as dates; everything else follows YAML 1.1 as PyYAML reads it.
"""

from __future__ import annotations

from typing import Any

import yaml

MAX_DEPTH = 20
"""No table nests deeper than half of this; the parser itself is not safe against thousands of brackets."""


class Mapping(dict[str, Any]):
    """A mapping with the line it starts on and, in `lines`, the line of each key; `file` where it is known."""

    file: str | None = None
    line: int
    lines: dict[str, int]


class Sequence(list[Any]):
    """A sequence with the line it starts on and, in `lines`, the line of each entry."""

    line: int
    lines: list[int]


class YamlError(Exception):
    """The text is not the YAML that tables are written in; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's safe loader, in C where it was built so, that keeps lines and refuses a key given twice."""

    def read_mapping(self, node: yaml.MappingNode) -> Mapping:
        mapping = Mapping()
        mapping.line, mapping.lines = _line(node.start_mark), {}
        for key_node, value_node in node.value:
            key, line = self.construct_object(key_node, deep=True), _line(key_node.start_mark)
            if not isinstance(key, str):
                raise YamlError(line, f"the key {key!r} is not text; write it in quotes")
            if key in mapping:
                raise YamlError(line, f"{key!r} stands here and on line {mapping.lines[key]}; keep one of them")
            mapping[key] = self.construct_object(value_node, deep=True)
            mapping.lines[key] = line
        return mapping

    def read_sequence(self, node: yaml.SequenceNode) -> Sequence:
        sequence = Sequence(self.construct_object(entry, deep=True) for entry in node.value)
        sequence.line = _line(node.start_mark)
        sequence.lines = [_line(entry.start_mark) for entry in node.value]
        return sequence


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.read_mapping)
_Loader.add_constructor("tag:yaml.org,2002:seq", _Loader.read_sequence)


def read(data: bytes) -> Any:
    """Decode and parse one document; raises YamlError. An empty document is None."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise YamlError(line, "not UTF-8; save the file in that encoding") from None
    try:
        _refuse_anchors_and_depth(text)
        return yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(_line(mark) if mark else 1, f"not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(1, f"not YAML: {error}") from None


def line_of(value: Any, path: tuple[int | str, ...]) -> int:
    """The line nearest to `path` inside a value that `read` gave."""
    line: int = getattr(value, "line", 1)
    for part in path:
        if isinstance(value, Mapping) and part in value:
            line, value = value.lines[str(part)], value[str(part)]
        elif isinstance(value, Sequence) and isinstance(part, int) and part < len(value):
            line, value = value.lines[part], value[part]
    return line


def _refuse_anchors_and_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise YamlError(_line(event.start_mark), "anchors and aliases are not allowed; write the value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise YamlError(_line(event.start_mark), f"nested deeper than {MAX_DEPTH} levels; check the brackets")


def _line(mark: Any) -> int:
    return int(mark.line) + 1
