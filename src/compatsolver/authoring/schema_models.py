"""Shapes of models, which the estimate of memory starts from."""

from compatsolver.authoring.schema_facts import Fact


class ModelRow(Fact):
    """The shape of a model, in the keys of its `config.json`."""

    name: str
    model_type: str
    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    tie_word_embeddings: bool
