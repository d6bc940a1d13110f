"""Rules on wheels."""

from __future__ import annotations

from compatsolver.authoring.rules.wheels import alike, wheel_rules
from compatsolver.model.rule import Kind
from libraries import release, universe_of, words


def wheels(*rows: tuple[str, object, str | None]) -> list[dict[str, object]]:
    return [{"platform": platform, "pythons": pythons, "glibc": glibc} for platform, pythons, glibc in rows]


def test_one_wheel_for_everything_leaves_requires_python() -> None:
    universe = universe_of(pure=[release("2", requires_python=">=3.12"), release("1")])
    rules = {rule.id: rule for rule in wheel_rules(universe) if rule.kind is Kind.PYTHON_NO_WHEEL}
    assert list(rules) == ["pure-python/any/3.11"]
    assert words(universe, rules["pure-python/any/3.11"]) == {"python": ["3.13", "3.12"], "pure": ["1", "none"]}


def test_platforms_and_pythons_that_are_served_alike_share_a_rule() -> None:
    both = wheels(("linux-x86_64", ["3.13"], None), ("windows-x86_64", ["3.13"], None))
    universe = universe_of(compiled=[release("1", wheels=both)])
    (rule,) = [rule for rule in wheel_rules(universe) if rule.kind is Kind.PYTHON_NO_WHEEL]
    assert words(universe, rule) == {"python": ["3.13"], "compiled": ["none"]}


def test_wheels_of_linux_serve_wsl() -> None:
    universe = universe_of(compiled=[release("1", wheels=wheels(("windows-x86_64", "any", None)))])
    rules = {rule.id: words(universe, rule) for rule in wheel_rules(universe) if "-platform/" in rule.id}
    assert rules["compiled-platform/linux-x86_64"] == {"platform": ["windows-x86_64"], "compiled": ["none"]}


def test_glibc_binds_where_the_wheel_is_used() -> None:
    old = release("1", wheels=wheels(("linux-x86_64", "any", "2.17")))
    new = release("2", wheels=wheels(("linux-x86_64", "any", "2.28")))
    universe = universe_of(compiled=[new, old])
    rules = {rule.id: words(universe, rule) for rule in wheel_rules(universe) if rule.kind is Kind.GLIBC_MIN}
    assert rules["compiled-glibc/2.28/linux-x86_64"] == {
        "platform": ["windows-x86_64"],
        "glibc": ["2.28"],
        "compiled": ["1", "none"],
    }


def test_a_source_distribution_alone_is_avoided_and_not_refused() -> None:
    universe = universe_of(compiled=[release("2", wheels=[], requires_python=">=3.12"), release("1")])
    rules = list(wheel_rules(universe))
    (avoided,) = [rule for rule in rules if rule.avoid]
    assert words(universe, avoided) == {"compiled": ["1", "none"]}
    (refused,) = [rule for rule in rules if rule.kind is Kind.PYTHON_NO_WHEEL]
    assert words(universe, refused) == {"python": ["3.13", "3.12"], "compiled": ["1", "none"]}


def test_facts_are_joined_over_platforms_then_releases() -> None:
    facts = [("a", "linux", 0), ("a", "windows", 0), ("a", "linux", 1), ("a", "windows", 1), ("a", "linux", 2)]
    assert list(alike(facts)) == [("a", ("linux", "windows"), 0b011), ("a", ("linux",), 0b100)]
