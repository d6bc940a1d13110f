"""Facts as a terminal shows them."""

from __future__ import annotations

from compatsolver.model.facts import Facts, Known
from compatsolver.render.facts_text import facts_text

CATALOG = {"version": "2026.11.30", "digest": "5e1f" * 16}


def test_a_field_a_line_and_the_sources_by_number() -> None:
    fields = {
        "exists": Known(True, "measured", ("The wheel", "A page")),
        "cuda": Known(None, "measured", ("The wheel",)),
        "glibc": Known(None),
        "driver": Known({"floor": "525.60.13", "native": "570.26"}, "documented", ("B", "C", "A page")),
        "builds": Known({"linux": [{"build": "cu128", "pythons": []}]}, "inferred", ("D",)),
        "requires": Known({"torch": ""}),
    }
    assert facts_text(Facts("torch 2.9.1+cu128", CATALOG, fields, ("A remark.",))) == EXPECTED


EXPECTED = """torch 2.9.1+cu128

exists    yes (measured) [1-2]
cuda      none (measured) [1]
glibc     not known
driver    floor 525.60.13; native 570.26 (documented) [2-4]
builds    (inferred) [5]
  linux
    build cu128; pythons none
requires  torch any version

note  A remark.

sources
  [1] The wheel
  [2] A page
  [3] B
  [4] C
  [5] D

catalogue 2026.11.30 (digest 5e1f5e1f5e1f)
"""
