"""Rules between packages."""

from __future__ import annotations

from typing import Any

from compatsolver.authoring.rules.libraries import library_rules
from compatsolver.model.rule import Kind
from libraries import references, release, universe_of, words


def pair(versions: str, **columns: Any) -> dict[str, Any]:
    row = {"component": "other", "versions": versions, "kind": "pkg_api", "why": "it imports a name"}
    return row | {"evidence": "measured", "sources": ["page"]} | columns


def test_a_requirement_on_any_version_still_needs_one() -> None:
    universe = universe_of(first=[release("1", requires={"other": ""})], other=[release("2"), release("1")])
    (rule,) = library_rules(universe, references())
    assert (rule.kind, rule.field) == (Kind.PKG_PIN, "requires")
    assert words(universe, rule) == {"first": ["none"], "other": ["2", "1"]}


def test_a_pair_needs_nothing_where_the_other_is_absent() -> None:
    rows = [release("2", works_with=[pair(">=2")]), release("1", works_with=[pair(">=2")])]
    universe = universe_of(first=rows, other=[release("2"), release("1")])
    (rule,) = library_rules(universe, references())
    assert (rule.id, rule.kind, rule.field, rule.avoid) == (
        "first-works-with-other/>=2",
        Kind.PKG_API,
        "works_with",
        False,
    )
    assert words(universe, rule) == {"first": ["none"], "other": ["2", "none"]}


def test_a_pair_of_one_platform_says_so() -> None:
    row = pair("<2", platforms=["windows-x86_64"], kind="numpy_abi", severity="warning")
    universe = universe_of(first=[release("1", works_with=[row])], other=[release("2"), release("1")])
    (rule,) = library_rules(universe, references())
    assert (rule.id, rule.kind, rule.avoid) == ("first-works-with-other/<2/windows-x86_64", Kind.NUMPY_ABI, True)
    assert words(universe, rule)["platform"] == ["linux-x86_64", "wsl-x86_64"]
