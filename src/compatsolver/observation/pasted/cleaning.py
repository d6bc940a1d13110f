"""From bytes of any kind to lines that can be read: decoded, without colours and control characters."""

from __future__ import annotations

import codecs
import re

LONGEST_LINE = 4000

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPES = re.compile(
    r"\x1b\[[0-9;:?<=>]{0,40}[ -/]{0,4}[@-~]"  # colours and cursor moves
    r"|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"  # window titles and links
    r"|\x1b[ -/]{0,4}[0-~]"
)
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u2028\u2029\u2060\ufeff]")
_LOOK_ALIKE = str.maketrans(
    {
        "\u00a0": " ",
        "\u202f": " ",
        "\u3000": " ",
        "\uff1a": ":",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
    }
)


def decoded(data: bytes | str) -> str:
    """The text; each line is decoded by itself where the whole is not UTF-8, since logs mix encodings."""
    if isinstance(data, str):
        return data.encode("utf-8", "replace").decode("utf-8")
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return (
                data.removeprefix(mark).decode("utf-8", "replace")
                if encoding == "utf-8"
                else data.decode(encoding, "replace")
            )
    if guessed := _unmarked_utf16(data):
        return data.decode(guessed, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(_decoded_line(line) for line in data.split(b"\n"))


def cleaned(text: str) -> str:
    """Without escape sequences, NULs and invisible characters; line breaks are `\\n`, quotes and colons plain."""
    text = text.replace("\0", "").replace("\r\n", "\n")
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    return _CONTROL.sub("", text).translate(_LOOK_ALIKE)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers from 1; a progress bar's rewrites and overlong lines are parts with one number.

    Of a run of blank lines two stay: no reader looks further, and a log can hold a million.
    """
    numbered: list[tuple[int, str]] = []
    blank = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            blank += 1
            if blank < 3:
                numbered.append((number, line))
            continue
        blank = 0
        if len(line) <= LONGEST_LINE and "\r" not in line:
            numbered.append((number, line.rstrip()))
            continue
        for part in filter(None, line.split("\r")):
            starts = range(0, len(part), LONGEST_LINE)
            numbered += [(number, part[start : start + LONGEST_LINE].rstrip()) for start in starts]
    return numbered


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without its mark shows in every other byte being NUL where the text is mostly ASCII."""
    sample = data[:4000]
    if len(sample) < 4:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * len(sample) // 2 and even == 0:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * len(sample) // 2 and odd == 0 else None


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        chinese = line.decode("gb18030")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")
    foreign = [letter for letter in chinese if letter > "\x7f"]
    likely = sum(
        "\u4e00" <= letter <= "\u9fff" or "\u3000" <= letter <= "\u303f" or letter >= "\uff00" for letter in foreign
    )
    return chinese if likely > 1 and 2 * likely > len(foreign) else line.decode("cp1252", "replace")
