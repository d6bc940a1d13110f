from __future__ import annotations

import json

from compatsolver.errors import CatalogError, InputError, UnknownComponent
from compatsolver.render.errors import error_json, error_text


def test_text_has_headline_facts_and_hint() -> None:
    error = InputError(
        "driver 'abc' is not a driver version", context=("read from --driver",), hint="write it as 535.98"
    )
    assert error_text(error) == (
        "error: driver 'abc' is not a driver version\n  read from --driver\nhint: write it as 535.98\n"
    )


def test_text_wraps_sentences_and_leaves_places_whole() -> None:
    place = "torch/2.6.yaml:41: " + "x" * 90
    lines = error_text(CatalogError("word " * 30, problems=(place,), hint="word " * 30)).splitlines()
    assert [line for line in lines if len(line) > 80] == [f"  {place}"]


def test_near_names_become_the_hint() -> None:
    assert "did you mean torchvision?" in error_text(UnknownComponent("no package 'torchvison'", near=("torchvision",)))


def test_json_is_one_document_with_every_field() -> None:
    assert json.loads(error_json(CatalogError("damaged", problems=("a", "b")))) == {
        "schema": "compatsolver.error/1",
        "code": "catalogue",
        "message": "damaged",
        "context": ["a", "b"],
        "hint": None,
    }


def test_no_error_steers_a_terminal() -> None:
    error = InputError("\x1b[31mred", context=("pins.yaml\x1b]0;x\x07:3",), hint="\x9b2J")
    assert error_text(error).replace("\n", "").isprintable()
