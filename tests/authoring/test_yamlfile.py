"""The part of YAML that tables are written in."""

from __future__ import annotations

from datetime import date

import pytest

from compatsolver.authoring import yamlfile

TEXT = b"""\
table: torch
releases:
- version: "2.6.0"
  released: 2025-01-29
  builds: [{build: cu124, published: "yes"},
           {build: cpu}]
"""


def test_values_remember_their_lines() -> None:
    value = yamlfile.read(TEXT)
    assert value["releases"][0]["released"] == date(2025, 1, 29)
    assert yamlfile.line_of(value, ("releases", 0, "released")) == 4
    assert yamlfile.line_of(value, ("releases", 0, "builds", 1, "build")) == 6
    assert value["releases"][0].line == 3


def test_a_path_into_nothing_gives_the_nearest_line() -> None:
    value = yamlfile.read(TEXT)
    assert yamlfile.line_of(value, ("releases", 0, "builds", 1, "cuda")) == 6
    assert yamlfile.line_of(value, ("releases", 9)) == 2
    assert yamlfile.line_of(None, ("releases",)) == 1


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (b"a: 1\nb: 2\na: 3\n", 3, "'a' stands here and on line 1"),
        (b"a: 1\nb: &all [1]\nc: *all\n", 2, "anchors and aliases"),
        (b"a: &x {b: 1}\n", 1, "anchors and aliases"),
        (b"a: *nowhere\n", 1, "anchors and aliases"),
        (b"a: 1\n<<: {b: 2}\n", 2, "not YAML"),
        (b"a: 1\n2.6: b\n", 2, "the key 2.6 is not text"),
        (b"a: 1\n[b]: c\n", 2, "is not text"),
        (b"a: [1\nb: 2\n", 2, "not YAML"),
        (b"a: !!python/object:os.system x\n", 1, "not YAML"),
        (b"a: 2025-02-30\n", 1, "not YAML"),
        (b"a: 1\n---\nb: 2\n", 2, "not YAML"),
        (b"a: \x00\n", 1, "not YAML"),
        (b"a: 1\nb: \xff\n", 2, "not UTF-8"),
        (b"[" * 50 + b"]" * 50, 1, "nested deeper"),
    ],
)
def test_refuses(text: bytes, line: int, says: str) -> None:
    with pytest.raises(yamlfile.YamlError, match=says) as caught:
        yamlfile.read(text)
    assert caught.value.line == line


def test_a_billion_laughs_costs_nothing() -> None:
    lines = [
        b'a0: &a0 ["lol"]',
        *(b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 10)),
    ]
    with pytest.raises(yamlfile.YamlError, match="anchors and aliases"):
        yamlfile.read(b"\n".join(lines))


def test_empty_is_none_and_a_byte_order_mark_is_skipped() -> None:
    assert yamlfile.read(b"# nothing yet\n") is None
    assert yamlfile.read(b"\xef\xbb\xbfa: 1\n") == {"a": 1}
