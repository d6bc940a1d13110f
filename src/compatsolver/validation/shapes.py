"""The shape of a model: from its `config.json`, or from the catalogue by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.memory import model_config
from compatsolver.errors import InputError
from compatsolver.files import read_bytes
from compatsolver.model.memory import ATTENTION, FEED_FORWARD, ModelShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.catalog.catalogue import Catalog

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
LARGEST = 1_000_000
_QWEN3_HEAD = 128
"""Width of a head where a Qwen 3 configuration does not say."""


def find_shape(catalog: Catalog, model: str) -> ModelShape:
    """The shape of a model of the catalogue, or of the configuration at a path; raises InputError for any other."""
    path = Path(model)
    if path.is_dir():
        path = path / "config.json"
    if not path.is_file() and path.suffix != ".json":
        return shape_of(model_config(catalog, model), model)
    data = read_bytes(path, LARGEST, "name a model's config.json, or its directory")
    try:
        config = json.loads(data)
    except ValueError as error:
        raise InputError(f"{path}: no JSON: {error}", hint="name a model's config.json") from None
    if not isinstance(config, dict):
        raise InputError(f"{path}: the configuration is not a mapping", hint="name a model's config.json")
    return shape_of(config, str(path))


def shape_of(config: Mapping[str, Any], place: str) -> ModelShape:
    """A configuration as a shape; `place` is where it was read, for messages."""
    family = config.get("model_type")
    if family not in FAMILIES:
        raise InputError(
            f"{place}: models of type {family!r} are not understood, so nothing is estimated",
            hint=f"the formula covers {', '.join(FAMILIES)}; docs/fit.md says what it counts",
        )
    heads, hidden = _count(config, "num_attention_heads", place), _count(config, "hidden_size", place)
    usual = _QWEN3_HEAD if family == "qwen3" else hidden // heads
    return ModelShape(
        name=str(config.get("name") or config.get("_name_or_path") or place),
        vocabulary=_count(config, "vocab_size", place),
        hidden=hidden,
        feed_forward=_count(config, "intermediate_size", place),
        layers=_count(config, "num_hidden_layers", place),
        heads=heads,
        key_value_heads=_count(config, "num_key_value_heads", place, heads),
        head=_count(config, "head_dim", place, usual),
        tied=bool(config.get("tie_word_embeddings", False)),
        biases=_biases(family, config),
        norms_heads=family == "qwen3",
    )


def _biases(family: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    if family == "qwen2":
        return ATTENTION[:3]
    attention = ATTENTION if config.get("attention_bias") else ()
    return (*attention, *(FEED_FORWARD if config.get("mlp_bias") else ()))


def _count(config: Mapping[str, Any], key: str, place: str, usual: int | None = None) -> int:
    value = config.get(key)
    if value is None:
        value = usual
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{place}: {key} is {value!r}, not a count", hint="name the model's own config.json")
    return value
