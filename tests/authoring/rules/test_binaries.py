"""Rules on native libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.authoring.rules.binaries import binary_rules
from compatsolver.model.rule import Kind
from libraries import capabilities, references, release, universe_of, words

if TYPE_CHECKING:
    from compatsolver.authoring.universe import Universe

LINUX, WINDOWS = "linux-x86_64", "windows-x86_64"


def binary(
    platform: str, cuda: list[str], sass: list[str], ptx: tuple[str, ...] = (), **columns: Any
) -> dict[str, Any]:
    archs = {"sass": sass, "ptx": list(ptx), "evidence": "documented", "sources": ["page"]} if cuda else None
    return {"platform": platform, "cuda": cuda, "archs": archs, "evidence": "measured", "sources": ["page"]} | columns


def of_kind(rules: list[Any], universe: Universe, kind: Kind) -> list[dict[str, list[str]]]:
    return [words(universe, rule) for rule in rules if rule.kind is kind]


def test_a_runtime_without_a_library_is_avoided() -> None:
    """A runtime that borrows a library has one, a CPU build needs none, a platform without a row has nothing."""
    row = binary(LINUX, ["12.8"], ["sm_70", "sm_89", "sm_120"], also=["12.9"])
    universe = universe_of(quantizer=[release("1", binaries=[row])])
    rules = [rule for rule in binary_rules(capabilities(), universe, references()) if rule.kind is Kind.BNB_CUDA_BINARY]
    served = {tuple(words(universe, rule)["platform"]): words(universe, rule).get("cuda") for rule in rules}
    assert served[(WINDOWS,)] == ["12.9", "12.8", "none"]
    assert served[(LINUX, "wsl-x86_64")] is None
    assert {rule.avoid: words(universe, rule).get("cuda") for rule in rules if not rule.avoid} == {False: None}


def test_a_gpu_without_code_is_impossible() -> None:
    """Volta is older than all code; the island 8.7 is not served by its neighbour; 12.0 compiles the PTX."""
    row = binary(LINUX, ["12.8"], ["sm_80"], ("compute_90",))
    universe = universe_of(quantizer=[release("2", binaries=[row]), release("1", binaries=[row])])
    rules = list(binary_rules(capabilities(), universe, references()))
    (below,) = of_kind(rules, universe, Kind.ARCH_BELOW_LIB_MIN)
    assert below == {
        "quantizer": ["none"],
        "cuda": ["13.0", "12.9", "12.6", "none"],
        "gpu": ["12.0", "8.9", "8.7", "none"],
    }
    (above,) = of_kind(rules, universe, Kind.ARCH_ABOVE_LIB_MAX)
    assert above["gpu"] == ["12.0", "8.9", "7.0", "none"]


def test_a_platform_with_other_code_is_told_apart() -> None:
    rows = [
        binary(LINUX, ["12.8"], ["sm_75", "sm_87", "sm_120"]),
        binary(WINDOWS, ["12.8"], ["sm_70", "sm_87", "sm_120"]),
    ]
    universe = universe_of(quantizer=[release("1", binaries=rows)])
    (below,) = of_kind(list(binary_rules(capabilities(), universe, references())), universe, Kind.ARCH_BELOW_LIB_MIN)
    assert below["platform"] == [WINDOWS]


def test_a_cpu_library_serves_no_runtime() -> None:
    universe = universe_of(quantizer=[release("1", binaries=[binary(LINUX, [], [])])], pure=[release("1")])
    rules = {rule.id: words(universe, rule) for rule in binary_rules(capabilities(), universe, references())}
    assert rules["quantizer-binary/linux-x86_64/none"]["cuda"] == ["none"]
    assert all(rule.startswith("quantizer") for rule in rules)
