from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compatsolver.model.observation import AXES, PACKAGE, VARIABLE
from compatsolver.observation.pasted import read_pasted

LINE = "Nvidia driver version: 560.94\n显卡: Tesla V100\n"
SEEDS = (
    *(
        "a",
        "1.",
        "torch ",
        "torch==1.0 ",
        "=",
        "-gencode=arch=",
        "sm_80 ",
        "(",
        "'",
        "/",
        "C:\\a\\",
        "a@",
        "://",
        ".so.1",
    ),
    *(
        "x.so: undefined symbol: ",
        "torch 1.0 requires ",
        "version: ",
        "driver ",
        "A100 ",
        "pip install ",
        "\x1b[",
        "\x1b]",
        "  ",
    ),
    *(
        "Found GPU0 ",
        "with CUDA capability sm_80",
        "nvidia/cuda:",
        "FROM a/",
        "LD_LIBRARY_PATH=",
        ">>> torch.version.cuda\n",
        "\n",
    ),
    *(
        "--query-gpu=name,driver_version\n",
        "a, b\n",
        "-----BEGIN PRIVATE KEY-----",
        "\r",
        "....",
        "\t",
        "中",
        "\0",
        "a-1-cp3-",
    ),
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "gb18030"])
def test_encodings(encoding: str) -> None:
    reading = read_pasted((LINE * 3).encode(encoding))
    assert reading.values("driver") == ("560.94",)
    assert reading.values("gpu") == ("Tesla V100",)


def test_lines_in_different_encodings() -> None:
    data = "驱动版本: 551.23\n".encode("gb18030") + "显卡: RTX 4060\n".encode() + "Überhitzung\n".encode("latin-1")
    reading = read_pasted(data)
    assert reading.values("driver") == ("551.23",)
    assert reading.values("gpu") == ("RTX 4060",)
    assert "Überhitzung" in reading.text


def test_colours_and_progress_bars_go_and_lines_keep_their_numbers() -> None:
    reading = read_pasted(
        "10%\r50%\r100%\n\x1b[1;31mERROR\x1b[0m\n\x1b]8;;http://x\x07torch: \x1b[32m2.5.1+cu124\x1b[0m\n"
    )
    torch = next(each for each in reading.observations if each.axis == "package:torch")
    assert (torch.value, torch.line, torch.quote) == ("2.5.1+cu124", 3, "torch: 2.5.1+cu124")
    assert "\x1b" not in reading.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ("the text is empty",)),
        ("it does not work\n\nhelp", ("no version, GPU, driver or package is named in 2 different lines",)),
        ("driver 550.54.14", ()),
    ],
)
def test_a_text_without_values_is_said_to_be_one(text: str, told: tuple[str, ...]) -> None:
    assert read_pasted(text).not_understood == told


def test_quotes_are_short() -> None:
    reading = read_pasted("driver 550.54.14 " + "x" * 400)
    assert [len(each.quote) for each in reading.observations] == [200]


@given(st.one_of(st.binary(max_size=400), st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))))
@settings(max_examples=200, deadline=None)
def test_any_bytes_can_be_read(data: bytes) -> None:
    reading = read_pasted(data)
    reading.text.encode()
    for each in reading.observations:
        assert each.axis in AXES or each.axis.startswith((PACKAGE, VARIABLE))
        assert each.line >= 1


@given(
    st.lists(st.sampled_from([*SEEDS, "12.4", "+cu121", "\n", " ", ": ", "torch", "GPU 0: "]), max_size=30).map("".join)
)
@settings(max_examples=200, deadline=None)
def test_any_order_of_known_words_can_be_read(text: str) -> None:
    assert read_pasted(text) == read_pasted(text.encode())
