"""Text to train on, as sequences of token numbers: from a JSON file, or made up where there is none."""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TINY = "tiny"
"""The name of the model that is made up; its tokens are bytes, and 0 ends a text."""
MADE_UP = 2000
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Rows:
    """Sequences in an order that is new in each epoch and follows from the seed, so a resumed run meets the same."""

    def __init__(self, sequences: Any, seed: int) -> None:
        self.sequences, self.seed = sequences, seed
        self.epoch, self.order = -1, torch.empty(0)

    def __getitem__(self, positions: range) -> Any:
        """The sequences at positions that count on through all epochs."""
        return torch.stack([self.sequences[self._row(position)] for position in positions])

    def _row(self, position: int) -> int:
        epoch, offset = divmod(position, len(self.sequences))
        if epoch != self.epoch:
            generator = torch.Generator().manual_seed(self.seed + epoch)
            self.epoch, self.order = epoch, torch.randperm(len(self.sequences), generator=generator)
        return int(self.order[offset])


def blocks(model: str, data: Path | None, length: int) -> Any:
    """All texts one after another, cut into rows of `length` tokens; what is left at the end is not used."""
    encode = encoder(model)
    tokens = [token for text in (read(data) if data else made_up()) for token in encode(text)]
    count = len(tokens) // length
    if not count:
        sys.exit(f"the data has {len(tokens)} tokens and a sequence {length}: give more text or a smaller --sequence")
    return torch.tensor(tokens[: count * length]).view(count, length)


def encoder(model: str) -> Callable[[str], list[int]]:
    """From a text to the tokens of a model, with the one that ends a text."""
    if model == TINY:
        return lambda text: [*text.encode(), 0]
    tokenizer = AutoTokenizer.from_pretrained(model)
    return lambda text: [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]


def made_up() -> Iterator[str]:
    """Sums in words, the same each time."""
    chance = random.Random(0)
    for _ in range(MADE_UP):
        first = chance.randrange(len(NUMBERS))
        second = chance.randrange(len(NUMBERS) - first)
        yield f"{NUMBERS[first]} and {NUMBERS[second]} make {NUMBERS[first + second]}."


def read(file: Path) -> Iterator[str]:
    """The texts of a JSON array, or of a file with one JSON object on each line."""
    content = file.read_text(encoding="utf-8")
    is_array = content.lstrip().startswith("[")
    lines = [content] if is_array else content.splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            sys.exit(f"{file}: {error}" if is_array else f"{file}:{number}: {error}")
        for place, record in enumerate(found if is_array else [found], start=1 if is_array else number):
            yield text_of(record, f"{file}, record {place}")


def text_of(record: Any, place: str) -> str:
    """The text of a record, or prompt and completion as one."""
    if isinstance(record, dict):
        if isinstance(record.get("text"), str):
            return str(record["text"])
        parts = record.get("prompt"), record.get("completion")
        if all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
    sys.exit(f'{place}: neither a "text" nor a "prompt" with a "completion"')
