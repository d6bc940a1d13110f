"""The estimate of memory: held against what was measured, and against laws that any such estimate has to keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.errors import InputError
from compatsolver.model.memory import GIB, LINEARS, METHODS, OPTIMIZERS, PRECISIONS, ModelShape, Training
from compatsolver.validation.fitting import fitted
from compatsolver.validation.measurements import SMALL, TINY
from compatsolver.validation.shapes import find_shape, shape_of
from compatsolver.validation.sizing import estimate, trainable_parameters

MEASURED = json.loads(Path(__file__).with_name("measured.json").read_text(encoding="utf-8"))["steps"]
BATCHES = {"tiny": (TINY, 2, 64), "small": (SMALL, 2, 256)}
PUBLISHED = {"Llama-2-7b": 6_738_415_616, "Llama-3.1-8B": 8_030_261_248, "Qwen2.5-0.5B": 494_032_768}
"""Parameters that the publishers state, in full."""

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog

shapes = st.builds(
    ModelShape,
    name=st.just("a model"),
    vocabulary=st.integers(64, 200_000),
    hidden=st.sampled_from([64, 1024, 4096]),
    feed_forward=st.integers(64, 30_000),
    layers=st.integers(1, 80),
    heads=st.sampled_from([8, 32]),
    key_value_heads=st.sampled_from([1, 8]),
    head=st.sampled_from([16, 128]),
    tied=st.booleans(),
    biases=st.lists(st.sampled_from(LINEARS), unique=True).map(tuple),
    norms_heads=st.booleans(),
)
trainings = st.builds(
    Training,
    method=st.sampled_from(METHODS),
    batch=st.integers(1, 16),
    sequence=st.integers(1, 8192),
    precision=st.sampled_from(PRECISIONS),
    optimizer=st.sampled_from(OPTIMIZERS),
    checkpointing=st.booleans(),
    accumulates=st.booleans(),
    rank=st.integers(1, 64),
    adapted=st.lists(st.sampled_from(LINEARS), min_size=1, unique=True).map(tuple),
)


@pytest.mark.parametrize("row", MEASURED, ids=lambda row: f"{row['shape']}-{row['method']}-{row['precision']}")
def test_the_formula_gives_what_was_measured(row: dict[str, Any]) -> None:
    shape, batch, sequence = BATCHES[row["shape"]]
    training = Training(row["method"], batch, sequence, row["precision"], checkpointing=row["checkpointing"])
    found = estimate(shape, training)
    assert (found.gradients, found.optimizer) == (row["gradients"], row["optimizer"])
    assert found.activations == row["activations"]
    assert found.weights == pytest.approx(row["weights"], rel=0.002)
    assert found.total - found.reserve == pytest.approx(row["peak"], rel=0.16)


@given(shapes, trainings)
def test_more_of_anything_never_takes_less(shape: ModelShape, training: Training) -> None:
    total = estimate(shape, training).total
    assert total <= estimate(shape, training._replace(batch=training.batch + 1)).total
    assert total <= estimate(shape, training._replace(sequence=training.sequence + 1)).total
    assert total <= estimate(shape._replace(layers=shape.layers + 1), training).total
    assert total <= estimate(shape, training._replace(accumulates=True)).total


@given(shapes, trainings)
def test_adapters_are_what_is_trained_and_four_bits_are_smaller(shape: ModelShape, training: Training) -> None:
    lora, qlora = (estimate(shape, training._replace(method=method)) for method in ("lora", "qlora"))
    widths = [shape.linear(name) for name in training.adapted]
    assert lora.trainable == qlora.trainable == shape.layers * training.rank * sum(map(sum, widths))
    assert qlora.weights < lora.weights
    assert trainable_parameters(shape, training._replace(method="full")) == shape.parameters


@given(shapes, trainings, st.floats(0.5, 200))
def test_the_largest_batch_fits_and_the_next_does_not(shape: ModelShape, training: Training, memory: float) -> None:
    room = estimate(shape, training, [("a GPU", memory)]).rooms[0]
    assert room.largest_batch is not None

    def total(batch: int) -> int:
        return estimate(shape, training._replace(batch=batch)).total

    assert room.fits == (total(training.batch) <= memory * GIB)
    assert room.largest_batch == 0 or total(room.largest_batch) <= memory * GIB
    assert total(room.largest_batch + 1) > memory * GIB


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_those_that_are_published(catalog: Catalog, name: str) -> None:
    assert find_shape(catalog, name).parameters == PUBLISHED[name]


def test_every_model_of_the_catalogue_has_a_shape(catalog: Catalog) -> None:
    for row in catalog.payload["models"]:
        size = find_shape(catalog, row["name"]).parameters
        stated = float(row["name"].lower().split("-")[-1 if row["name"][-1] in "bB" else -2].removesuffix("b")) * 1e9
        assert size == pytest.approx(stated, rel=0.25), row["name"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[]", "not a mapping"),
        ("{", "no JSON"),
        ('{"model_type": "mamba"}', "not understood"),
        ('{"model_type": "llama", "num_attention_heads": 0}', "not a count"),
        ('{"model_type": "llama", "num_attention_heads": 4, "hidden_size": "wide"}', "not a count"),
    ],
)
def test_a_configuration_that_is_not_covered_is_refused(catalog: Catalog, tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=word) as caught:
        find_shape(catalog, str(tmp_path))
    assert caught.value.hint


def test_a_configuration_and_the_catalogue_are_read_alike(catalog: Catalog, tmp_path: Path) -> None:
    row = next(row for row in catalog.payload["models"] if row["name"] == "Qwen2.5-7B")
    path = tmp_path / "config.json"
    path.write_text(json.dumps(row | {"torch_dtype": "bfloat16"}), encoding="utf-8")
    assert find_shape(catalog, str(path)) == find_shape(catalog, "Qwen/Qwen2.5-7B")
    assert shape_of(row, "here").biases == ("q_proj", "k_proj", "v_proj")


def test_a_gpu_of_unknown_memory_is_said_to_be_so(catalog: Catalog) -> None:
    unknown, known = fitted(catalog, "Qwen2.5-0.5B", None, ["GH200", "RTX 4090"], None).rooms
    assert (unknown.fits, unknown.memory_gib) == (None, None)
    assert (known.fits, known.memory_gib) == (True, 24)
    assert fitted(catalog, "Qwen2.5-0.5B", None, "GH200", 96).rooms[0].fits
