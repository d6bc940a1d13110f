"""Rules on packages that are compiled against torch."""

from __future__ import annotations

from compatsolver.authoring.rules.extensions import extension_rules
from compatsolver.authoring.rules.wheels import wheel_rules
from compatsolver.model.rule import Kind
from libraries import references, release, universe_of, words

PREBUILT = {
    "platform": "linux-x86_64",
    "torch": ["2.9"],
    "cuda": ["12"],
    "pythons": ["3.12"],
    "evidence": "documented",
    "sources": ["page"],
}

AMPERE = {"compute_capability": {"at_least": "8.0"}, "evidence": "documented", "sources": ["page"]}


def test_wheels_outside_the_index_are_for_some_torch_cuda_python_and_platform() -> None:
    """WSL takes the wheels of Linux; a CPU build has none; whatever is outside has to be compiled, so it is avoided."""
    universe = universe_of(
        kernels=[release("1", wheels=[], prebuilt=[PREBUILT])], torch=[release("2.10.0"), release("2.9.1")]
    )
    rules = {rule.id: rule for rule in extension_rules(universe, references())}
    assert all(rule.avoid for rule in rules.values())
    served = {name.partition("-prebuilt-")[2]: words(universe, rule) for name, rule in rules.items()}
    assert served["cuda/12"]["cuda"] == ["12.9", "12.8", "12.6"]
    assert served["python/3.12"]["python"] == ["3.12"]
    assert served["platform/linux-x86_64"]["platform"] == ["linux-x86_64", "wsl-x86_64"]
    assert served["torch/2.9"]["torch"] == ["2.9.1"]


def test_a_release_with_such_wheels_need_not_be_built() -> None:
    universe = universe_of(kernels=[release("2", wheels=[]), release("1", wheels=[], prebuilt=[PREBUILT])])
    (built,) = [rule for rule in wheel_rules(universe) if rule.id == "kernels-built/from source"]
    assert words(universe, built)["kernels"] == ["1", "none"]


def test_a_release_runs_on_some_gpus_however_it_was_built() -> None:
    rows = [release(version, runs_on=AMPERE) for version in ("2", "1")]
    universe = universe_of(kernels=[*rows, release("0.1")])
    (rule,) = extension_rules(universe, references())
    assert rule.kind is Kind.ARCH_BELOW_LIB_MIN
    assert not rule.avoid
    assert words(universe, rule)["kernels"] == ["0.1", "none"]
    assert words(universe, rule)["gpu"] == ["12.0", "8.9", "8.7", "none"]
