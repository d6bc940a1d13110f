"""GPU names as people type them, against the names of the data files."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.catalog.catalogue import Catalog
from compatsolver.catalog.gpu_words import MOST_CANDIDATES, read_gpu
from compatsolver.catalog.gpus import find_gpu
from compatsolver.catalog.load import bundled

GPUS = Path(__file__).parents[2] / "data" / "matrices" / "gpus.yaml"


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    document = yaml.load(GPUS.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {
        "gpus": [[row["name"], row["compute_capability"], row.get("platform")] for row in document["products"]],
        "nvidia_smi_names": [
            [row["name"], row["compute_capability"], row.get("platform")] for row in document["nvidia_smi_names"]
        ],
        "vendors": [[row["vendor"], row["pattern"], row["index_family"]] for row in document["other_vendors"]],
    }


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    return Catalog(version="", digest="", horizon="", components={}, rules_by_library={}, payload=tables())


def letters(name: str) -> str:
    """A name without its brand, spaces and case, for saying that two rows are spellings of one name."""
    spelled = re.sub(r"nvidia|geforce|tesla|design|generation|edition|with|gpu|[^a-z0-9]", "", name.casefold())
    return re.sub(r"sxm\d", "sxm", spelled.replace("laptop", "mobile"))


KNOWN = [
    ("RTX 4090", "8.9", "GeForce RTX 4090"),
    ("RTX4090", "8.9", "GeForce RTX 4090"),
    ("rtx-4090", "8.9", "GeForce RTX 4090"),
    ("rtx_4090", "8.9", "GeForce RTX 4090"),
    ("4090", "8.9", "GeForce RTX 4090"),
    ("NVIDIA GeForce RTX 4090", "8.9", "GeForce RTX 4090"),
    ("NVIDIA(R) GeForce(TM) RTX 4090", "8.9", "GeForce RTX 4090"),
    ("GeForce RTX™ 4090 graphics card", "8.9", "GeForce RTX 4090"),
    ("GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-8a7f0000-0000-0000-0000-000000000000)", "8.9", "GeForce RTX 4090"),
    ("RTX 4090 (24GB)", "8.9", "GeForce RTX 4090"),
    ("RTX 4090 24 GB VRAM", "8.9", "GeForce RTX 4090"),
    ("RTX 4090 Laptop GPU", "8.9", None),
    ("rtx 4090 mobile", "8.9", None),
    ("RTX 4090 Max-Q", "8.9", None),
    ("RTX 4090 (water cooled)", "8.9", "GeForce RTX 4090"),
    ("4070 Ti SUPER", "8.9", None),
    ("rtx4070tisuper", "8.9", None),
    ("3080ti", "8.6", None),
    ("RTX 3080 10GB", "8.6", "GeForce RTX 3080"),
    ("RTX 3080 12GB", "8.6", None),
    ("RTX 3050Ti Laptop GPU", "8.6", None),
    ("RTX 5090D", "12.0", None),
    ("RTX 5090 Laptop", "12.0", None),
    ("geforce gtx1080ti", "6.1", "GeForce GTX 1080 Ti"),
    ("GTX 1080", "6.1", "GeForce GTX 1080"),
    ("GTX 1050 Ti", "6.1", "GeForce GTX 1050 Ti"),
    ("GTX 1060 6GB", "6.1", None),
    ("GTX 1650 with Max-Q Design", "7.5", None),
    ("GTX 1660 SUPER", "7.5", "GeForce GTX 1660 SUPER"),
    ("GTX 750", "5.0", "GeForce GTX 750"),
    ("GTX 950M", "5.0", "GeForce GTX 950M"),
    ("GTX 950", "5.2", "GeForce GTX 950"),
    ("GTX TITAN", "3.5", "GeForce GTX TITAN"),
    ("GTX TITAN X", "5.2", "GeForce GTX TITAN X"),
    ("NVIDIA TITAN X (Pascal)", "6.1", "TITAN X Pascal"),
    ("Titan XP", "6.1", "TITAN Xp"),
    ("TITAN V", "7.0", "TITAN V"),
    ("titanv", "7.0", "TITAN V"),
    ("Titan RTX", "7.5", None),
    ("MX150", "6.1", "GeForce MX150"),
    ("T4", "7.5", "Tesla T4"),
    ("Tesla T4", "7.5", "Tesla T4"),
    ("teslat4", "7.5", "Tesla T4"),
    ("K80", "3.7", "Tesla K80"),
    ("Tesla K40m", "3.5", "Tesla K40m"),
    ("P100", "6.0", "Tesla P100"),
    ("Tesla P100-PCIE-16GB", "6.0", None),
    ("Tesla P40", "6.1", "Tesla P40"),
    ("V100", "7.0", "Tesla V100"),
    ("Tesla V100-SXM2-32GB", "7.0", None),
    ("V100S", "7.0", None),
    ("A100", "8.0", "A100"),
    ("A100 80GB", "8.0", None),
    ("NVIDIA A100-SXM4-80GB", "8.0", "A100-SXM4-80GB"),
    ("A100-SXM4-40GB MIG 1g.5gb", "8.0", None),
    ("Tesla A100", "8.0", "A100"),
    ("DGX A100", "8.0", "A100"),
    ("A10", "8.6", None),
    ("A10G", "8.6", "A10G"),
    ("A6000", "8.6", "RTX A6000"),
    ("Quadro A6000", "8.6", "RTX A6000"),
    ("RTX 6000 Ada", "8.9", "RTX 6000 Ada Generation"),
    ("RTX 4000 Ada", "8.9", None),
    ("Quadro RTX 4000", "7.5", "Quadro RTX 4000"),
    ("RTX 8000", "7.5", None),
    ("T1000", "7.5", "T1000"),
    ("P4000", "6.1", None),
    ("L4", "8.9", "L4"),
    ("L40S", "8.9", "L40S"),
    ("H100", "9.0", "H100"),
    ("H100 PCIe", "9.0", None),
    ("H100 SXM", "9.0", None),
    ("NVIDIA H100 80GB HBM3", "9.0", None),
    ("H200", "9.0", "H200"),
    ("GH200", "9.0", None),
    ("GH200 480GB", "9.0", None),
    ("B200", "10.0", "B200"),
    ("HGX B200", "10.0", "B200"),
    ("B300", "10.3", None),
    ("GB200", "10.0", "GB200"),
    ("GB200 NVL72", "10.0", "GB200"),
    ("RTX PRO 6000", "12.0", None),
    ("RTX PRO 6000 Blackwell Server Edition", "12.0", None),
    ("RTX 6000 Blackwell", "12.0", None),
    ("DGX Spark", "12.1", "DGX Spark"),
    ("GB10", "12.1", "GB10"),
    ("NVIDIA GB10 (DGX Spark)", "12.1", "GB10"),
    ("Thor", "11.0", None),
    ("NVIDIA Thor (Jetson AGX Thor)", "11.0", None),
    ("Jetson T5000", "11.0", None),
    ("Orin", "8.7", None),
    ("NVIDIA Jetson AGX Orin", "8.7", "Jetson AGX Orin"),
    ("Orin Nano", "8.7", None),
    ("Jetson Nano", "5.3", "Jetson Nano"),
    ("Xavier NX", "7.2", None),
]

COUNTED = [
    ("2x GeForce RTX 5070", "12.0", 2),
    ("8 x H100", "9.0", 8),
    ("8xH100", "9.0", 8),
    ("H100x8", "9.0", 8),
    ("H100 x8", "9.0", 8),
    ("H100 (x8)", "9.0", 8),
    ("4 × TITAN V", "7.0", 4),
    ("2x4090", "8.9", 2),
    ("4x RTX 4090s", "8.9", 4),
    ("2 RTX 3090", "8.6", 2),
    ("8x NVIDIA RTX A5000", "8.6", 8),
    ("2x A100-SXM4-80GB, MIG 3g.40gb", "8.0", 2),
    ("2x sm_89", "8.9", 2),
    ("AX800", "8.0", 1),
    ("MX150", "6.1", 1),
    ("4 GB GTX 1650", "7.5", 1),
    ("RTX 5000 Embedded Ada Generation X2", "8.9", 1),
]

STATED = [
    ("8.9", "8.9"),
    (" 8.9 ", "8.9"),
    ("sm_89", "8.9"),
    ("sm89", "8.9"),
    ("SM 8.9", "8.9"),
    ("sm_90a", "9.0"),
    ("sm_120", "12.0"),
    ("compute_100f", "10.0"),
    ("compute capability 8.9", "8.9"),
    ("Compute Capability: 12.1", "12.1"),
    ("cc 8.9", "8.9"),
    ("CC8.9", "8.9"),
    ("13.0", "13.0"),
    ("mystery card (sm_75)", "7.5"),
    ("RTX 4090 (compute capability 7.5)", "7.5"),
]

AMBIGUOUS = [
    ("RTX 4000", {"7.5", "8.9"}),
    ("4000", {"7.5", "8.9"}),
    ("RTX 5000", {"7.5", "8.9", "12.0"}),
    ("RTX 3000", {"7.5", "8.9"}),
    ("TITAN X", {"5.2", "6.1"}),
    ("TITAN", {"3.5", "7.0"}),
    ("Nano", {"5.3", "8.7"}),
    ("GT 730", {"2.1", "3.5"}),
    ("RTX 4090 (GTX 1080)", {"6.1", "8.9"}),
    ("sm_90, sm_100", {"9.0", "10.0"}),
]

UNKNOWN = [
    "",
    "   ",
    "Foo",
    "GPU",
    "NVIDIA",
    "NVIDIA GPU",
    "new NVIDIA GPU (was AMD)",
    "new card (was GTX 1080)",
    "RTX",
    "RTX 9990",
    "RTX 40 series",
    "RTX 3000 series",
    "GTX 4090",
    "RTX 4090 Ultra",
    "RTX 5090 Ti Super Max",
    "GeForce 210",
    "Quadro 4000",
    "Quadro 6000 6GB",
    "GT 9990",
    "Blackwell",
    "Pascal",
    "Server",
    "A",
    "D",
    "2",
    "8",
    "100",
    "210",
    "80GB",
    "PCIe",
    "x2",
    "0x RTX",
    "2x",
    "H100 + T4",
    "sm_",
    "cc",
    "8",
    "\x00",
    "()",
    "💥",
]

OTHERS = [
    ("RX 7900 XTX", "AMD", "rocm"),
    ("AMD Radeon RX 7900 XTX", "AMD", "rocm"),
    ("Radeon VII", "AMD", "rocm"),
    ("Radeon 780M", "AMD", "rocm"),
    ("AMD Instinct MI300X", "AMD", "rocm"),
    ("8x MI300X", "AMD", "rocm"),
    ("gfx1100", "AMD", "rocm"),
    ("Intel Arc A770", "Intel", "xpu"),
    ("Arc A770", "Intel", "xpu"),
    ("Intel UHD Graphics 630", "Intel", "xpu"),
    ("Apple M2 Max", "Apple", None),
    ("apple m4", "Apple", None),
]


@pytest.mark.parametrize(("text", "capability", "name"), KNOWN)
def test_known(text: str, capability: str, name: str | None) -> None:
    match = find_gpu(catalog(), text)
    assert (match.capabilities, match.count, match.vendor) == ((capability,), 1, None)
    if name:
        assert match.name == name


@pytest.mark.parametrize(("text", "capability", "count"), COUNTED)
def test_counts(text: str, capability: str, count: int) -> None:
    match = find_gpu(catalog(), text)
    assert (match.capabilities, match.count) == ((capability,), count)


@pytest.mark.parametrize(("text", "capability"), STATED)
def test_a_stated_capability_wins(text: str, capability: str) -> None:
    match = find_gpu(catalog(), text)
    assert (match.name, match.capabilities) == (f"compute capability {capability}", (capability,))


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("2x RTX 4000, compute capability 7.5", "RTX 4000", 2),
        ("NVIDIA T4 (compute capability 7.5)", "Tesla T4", 1),
    ],
)
def test_a_name_beside_its_capability_is_kept(text: str, name: str, count: int) -> None:
    match = find_gpu(catalog(), text)
    assert (match.name, match.capabilities, match.count) == (name, ("7.5",), count)


@pytest.mark.parametrize(("text", "capabilities"), AMBIGUOUS)
def test_ambiguous(text: str, capabilities: set[str]) -> None:
    match = find_gpu(catalog(), text)
    assert capabilities <= set(match.capabilities)
    assert list(match.capabilities) == sorted(match.capabilities, key=float)
    assert 1 < len(match.candidates) <= MOST_CANDIDATES
    assert match.name in (text, "compute capability 9.0 or compute capability 10.0")


def test_every_meaning_of_an_ambiguous_name_is_offered() -> None:
    candidates = find_gpu(catalog(), "RTX 4000").candidates
    assert {"Quadro RTX 4000", "RTX 4000 Ada Generation", "RTX PRO 4000 Blackwell"} <= set(candidates)


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_is_not_guessed(text: str) -> None:
    match = find_gpu(catalog(), text)
    assert (match.capabilities, match.vendor) == ((), None)


def test_near_names_are_only_offered() -> None:
    match = find_gpu(catalog(), "RTX 5900")
    assert match.capabilities == ()
    assert "GeForce RTX 5090" in match.candidates


@pytest.mark.parametrize(("text", "vendor", "family"), OTHERS)
def test_other_vendors(text: str, vendor: str, family: str | None) -> None:
    match = find_gpu(catalog(), text)
    assert (match.vendor, match.index_family, match.capabilities) == (vendor, family, ())


def test_a_name_of_two_makers_is_neither() -> None:
    match = find_gpu(catalog(), "M4")
    assert (match.vendor, match.capabilities) == (None, ())
    assert {"Apple M4", "Tesla M4"} <= set(match.candidates)


@pytest.mark.parametrize("table", ["gpus", "nvidia_smi_names"])
def test_every_name_finds_itself(table: str) -> None:
    rows = tables()["gpus"] + tables()["nvidia_smi_names"]
    for name, capability, _ in tables()[table]:
        match = find_gpu(catalog(), name)
        assert (match.vendor, match.count) == (None, 1), name
        namesakes = {other for spelled, other, _ in rows if letters(spelled) == letters(name)}
        assert set(match.capabilities) == namesakes | {capability}, name


def test_spelling_of_a_name_does_not_matter() -> None:
    for name, _, _ in tables()["gpus"]:
        expected = find_gpu(catalog(), name).capabilities
        hyphens, glued = name.replace(" ", "-"), name.replace(" GB", "GB")
        for text in (name.upper(), name.lower(), f"  NVIDIA {name} ", hyphens, glued):
            assert find_gpu(catalog(), text).capabilities == expected, text


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    match = find_gpu(catalog(), text)
    assert match.count >= 1
    assert len(match.candidates) <= MOST_CANDIDATES


@given(st.lists(st.sampled_from(["rtx", "4090", "ti", "x", "2", "8.9", "sm_", "(", ")", "titan", "80gb", "-", "a100"])))
def test_any_pile_of_words_is_read(words: list[str]) -> None:
    match = find_gpu(catalog(), " ".join(words))
    assert not (match.vendor and match.capabilities)


def test_capabilities_that_come_apart_into_others_are_read_once() -> None:
    match = find_gpu(catalog(), "cc " * 900 + "8.9 " * 900)
    assert match.capabilities == ("8.9",)


@pytest.mark.parametrize("brand", ["", "NVIDIA ", "GeForce ", "nvidia  geforce ", "Tesla "])
def test_a_name_that_is_looked_up_means_what_its_words_say(brand: str) -> None:
    compiled = bundled()
    names = compiled.payload["gpu_names"]
    assert len(names) > len(compiled.payload["gpus"]) / 2
    for name in names:
        assert find_gpu(compiled, brand + name) == read_gpu(compiled, brand + name)
