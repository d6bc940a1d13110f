"""Read the environment document: YAML or JSON in which people describe a machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from compatsolver.errors import InputError
from compatsolver.files import read_text
from compatsolver.model.environment import Environment
from compatsolver.model.probed import Device, Library, Observed
from compatsolver.observation.target import is_negative, unread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 5_000_000
DEEPEST = 20
MINIMAL = "a minimal environment file is the two lines `gpu: RTX 4090` and `driver: 535.98`"

_TEXTS = ("driver", "nvidia_smi_cuda", "kernel_module", "os", "arch", "container", "python", "glibc", "nvcc", "gcc")
_LISTS = ("gpu", "compute_capability", "not_understood")
_RECORDS = {"devices": Device, "libraries": Library, "observed": Observed}
_MADE_ANEW = ("schema", "findings")
"""Keys of a document that `probe` wrote and that are not read: what was found follows from what was observed."""
_MAPPINGS = ("packages", "env")
_NOTHING = frozenset(("", "~", "null"))


def load_environment(path: Path) -> Environment:
    """Read a file in UTF-8 or, with its mark, UTF-16; raises InputError where it cannot be read at all."""
    return read_environment(read_text(path, LARGEST, f"check the path; {MINIMAL}"), str(path))


def read_environment(text: str, name: str) -> Environment:
    """Read a document called `name` in messages.

    What it says and is not understood is listed in `not_understood`; raises InputError only where the document as a
    whole is not one: empty, too large, binary, not YAML or JSON, not a mapping.
    """
    if len(text) > LARGEST:
        raise InputError(f"{name}: larger than {LARGEST // 1_000_000} MB", hint=MINIMAL)
    if "\0" in text:
        raise InputError(f"{name}: a binary file, not an environment document", hint=MINIMAL)
    document = _parsed(text, name) if text.strip() else None
    if document is None or document in ("", {}):
        raise InputError(f"{name}: an empty environment document", hint=MINIMAL)
    if not isinstance(document, dict):
        raise InputError(f"{name}: not a mapping of keys to values", hint=MINIMAL)
    environment = _environment(document)
    return environment._replace(not_understood=environment.not_understood + unread(environment))


def _parsed(text: str, name: str) -> Any:
    """The document with every number left as it was spelled, since 3.10 is not 3.1."""
    keys: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys[:] = [key for key, _ in pairs]  # the outermost mapping is the last that the decoder hands over
        return dict(pairs)

    try:
        document = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=mapping)
    except RecursionError:
        raise InputError(f"{name}: nested too deeply", hint=MINIMAL) from None
    except ValueError:
        return _parsed_yaml(text, name)
    _refuse_twice(keys, name)
    return document


def _parsed_yaml(text: str, name: str) -> Any:
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _refuse_bombs(yaml.parse(text, Loader=loader), name)
        _refuse_twice(_top_keys(yaml.compose(text, Loader=loader)), name)
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
        raise InputError(f"{name}{where}: neither JSON nor YAML: {what}", hint=MINIMAL) from None


def _top_keys(document: Any) -> list[str]:
    """The keys of a composed YAML mapping as written, of which the loader would silently keep the last."""
    pairs = document.value if type(document).__name__ == "MappingNode" else []
    return [str(key.value) for key, _ in pairs]


def _refuse_twice(keys: list[str], name: str) -> None:
    """Each key of the document is given once, however it is spelled; raises InputError."""
    spelled: set[str] = set()
    for key in keys:
        if _normalised(key) in spelled:
            raise InputError(f"{name}: {key!r} is given twice", hint="keep one; several GPUs are a list")
        spelled.add(_normalised(key))


def _normalised(key: Any) -> str:
    return str(key).strip().casefold().replace("-", "_").replace(" ", "_")


def _refuse_bombs(events: Iterator[Any], name: str) -> None:
    """Look at the document's events before it is built: a few lines of aliases or brackets can fill any memory."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        if getattr(event, "anchor", None):
            raise InputError(f"{name}: YAML anchors and aliases are not read here", hint="write each value out")
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > DEEPEST:
            raise InputError(f"{name}: nested too deeply", hint=MINIMAL)


def _environment(document: dict[Any, Any]) -> Environment:
    values: dict[str, Any] = {}
    odd: list[str] = []
    for spelled, value in document.items():
        key = _normalised(spelled)
        if _scalar(value) in _NOTHING:
            continue
        if key in _MADE_ANEW:
            continue
        if key == "wsl":
            values[key] = _truth(value)
        elif key in _TEXTS:
            values[key] = _scalar(value)
        elif key in _LISTS:
            values[key] = _texts(value)
        elif key in _RECORDS:
            values[key] = _records(_RECORDS[key], value)
        elif key in _MAPPINGS and isinstance(value, Mapping):
            values[key] = {str(name): text for name, each in value.items() if (text := _scalar(each)) is not None}
        if key not in values:
            odd.append(f"{spelled}: not a key of the environment document{_near(key)}")
        elif values[key] is None:
            odd.append(f"{spelled}: expected a text, not {type(value).__name__}")
    odd = [*(values.pop("not_understood", None) or ()), *odd]
    given = {key: value for key, value in values.items() if value is not None}
    environment = Environment(**given, not_understood=tuple(odd))
    return _with_findings(environment) if environment.observed else environment


def _with_findings(environment: Environment) -> Environment:
    from compatsolver.observation.faults import faults

    return environment._replace(findings=tuple(faults(environment)))


def _records(record: Any, value: Any) -> tuple[Any, ...] | None:
    """Entries as `probe` writes them; None where one of them has other keys or is none."""
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        return None
    try:
        return tuple(record(**{str(key): _field(key, each) for key, each in entry.items()}) for entry in value)
    except (TypeError, ValueError):
        return None


def _field(key: str, value: Any) -> Any:
    if key == "slices":
        return _texts(value) or ()
    if key == "memory":
        return int(value)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is no text")
    return value


def _near(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, (*_TEXTS, *_LISTS, *_MAPPINGS, "wsl"), n=1)
    return f"; is {near[0]} meant?" if near else ""


def _scalar(value: Any) -> str | None:
    """A value as text, the empty text for null, None for lists and mappings."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.strip() if isinstance(value, str) else None


def _truth(value: Any) -> bool | str | None:
    if isinstance(value, bool):
        return value
    text = _scalar(value)
    if text is None:
        return None
    if text.casefold() in ("true", "yes", "on", "1"):
        return True
    return False if is_negative(text) else text


def _texts(value: Any) -> tuple[str, ...] | None:
    """A text or a list of texts; a text that says "none" is an empty list, and one odd entry spoils all."""
    entries = [_scalar(entry) for entry in (value if isinstance(value, list) else [value])]
    texts = tuple(entry for entry in entries if entry and not is_negative(entry))
    return None if None in entries else texts
