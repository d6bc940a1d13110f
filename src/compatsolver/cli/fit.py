"""`compatsolver fit MODEL`: how much memory training takes, and whether a GPU has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_catalog_flags
from compatsolver.model.memory import METHODS, OPTIMIZERS, PRECISIONS, Training

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json")
DOES_NOT_FIT, UNKNOWN = 1, 3
USUAL = Training()


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver fit",
        "How much memory a way of training takes, and whether it fits into a GPU.\n"
        "MODEL is the path of a config.json or a model the catalogue knows the shape of.",
        "exit codes: 0 it fits, or no GPU was named · 1 it does not fit · 3 memory unknown",
    )
    parser.add_argument("model", metavar="MODEL", help="as in Qwen2.5-7B, or path/to/config.json")
    parser.add_argument("--method", choices=METHODS, default=USUAL.method, help="what is trained")
    parser.add_argument("--batch", type=int, default=USUAL.batch, metavar="N", help="sequences on each GPU at a time")
    parser.add_argument("--sequence", type=int, default=USUAL.sequence, metavar="N", help="tokens in a sequence")
    parser.add_argument(
        "--precision", choices=PRECISIONS, default=USUAL.precision, help="mixed: fp32 weights, bf16 math"
    )
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default=USUAL.optimizer, help="which states are kept")
    parser.add_argument("--checkpointing", action="store_true", help="activations are computed again when needed")
    parser.add_argument("--accumulates", action="store_true", help="gradients of several batches are summed")
    parser.add_argument("--rank", type=int, default=USUAL.rank, metavar="N", help="of the adapters")
    parser.add_argument(
        "--adapt",
        default=",".join(USUAL.adapted),
        metavar="NAMES",
        help="layers that get adapters, as in q_proj,v_proj; all-linear is every one",
    )
    parser.add_argument("--gpu", action="append", default=[], metavar="GPU", help="its name; repeat it for several")
    parser.add_argument("--memory", type=float, metavar="GIB", help="of the GPU, where its name does not tell")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_catalog_flags(parser.add_argument_group("choice"))
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the estimate; the exit code says whether it fits."""
    from compatsolver import api

    training = Training(
        options.method,
        options.batch,
        options.sequence,
        options.precision,
        options.optimizer,
        options.checkpointing,
        options.accumulates,
        options.rank,
        tuple(name.strip() for name in options.adapt.split(",")),
    )
    catalog = {"catalog": options.catalog, "overlay": options.overlay}
    found = api.fit(options.model, training, gpu=options.gpu, memory=options.memory, **catalog)
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(found.to_dict()))
    else:
        from compatsolver.render.memory_text import memory_text

        emit(memory_text(found))
    fits = [room.fits for room in found.rooms]
    return DOES_NOT_FIT if False in fits else UNKNOWN if None in fits else 0
