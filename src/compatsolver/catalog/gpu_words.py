"""Which GPU people mean, read word by word: a marketing name, what nvidia-smi prints, or a compute capability.

A name is read as a set of words ("RTX4090", "rtx-4090" and "GeForce RTX 4090" share theirs). The name that has exactly
the words typed wins; else every name that has all of them is meant, and the answer is theirs where they agree. Spelling
is never repaired: a near name is offered to the user, not taken.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from compatsolver.catalog.catalogue import Catalog
from compatsolver.model.host import GpuMatch

MOST_CANDIDATES = 8


class _Name(NamedTuple):
    text: str
    capability: str
    platform: str | None
    words: frozenset[str]


_COUNT_BEFORE = re.compile(r"\s*\(?(\d{1,3})(?:\s*[x×*]\s*|\s+(?=[a-z])(?!gi?b\b))", re.IGNORECASE | re.ASCII)
_COUNT_AFTER = re.compile(r"(?:(?<=\d)|\s|\()[x×*]\s?(\d{1,3})\)?\s*$", re.IGNORECASE | re.ASCII)
_CAPABILITY = re.compile(
    r"^\s*(?P<bare>\d{1,2}\.\d)\s*$"
    r"|\b(?:sm|compute)[_\s-]?(?P<major>\d{1,2})(?P<minor>\d)[af]?\b"
    r"|\b(?:sm|cc|(?:compute )?capability)[\s:=]*(?P<dotted>\d{1,2}\.\d)\b",
    re.IGNORECASE | re.ASCII,
)
_OUTSIDE_THE_NAME = re.compile(r"^\s*gpu\s*\d+\s*:|\(uuid.*|\bmig\b.*")
_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_MAX_Q = re.compile(r"\bmax[-\s]?q\b")
_MEMORY = re.compile(r"\b(\d+)[\s-]?g(?:i?b)?\b")
_BOARD_NUMBER = re.compile(r"([a-z]\d{3}|hx)-(\d{3})\b")
_PART = re.compile(r"\d+ GB|\S+")
_WORD = re.compile(
    r"nvidia|geforce|quadro|tesla|titan|jetson|[rg]tx|gt(?=\d)|pro(?=\d)"
    r"|\d{3,4}(?=(?:ti(?:super|m)?|super|d)\b)|ti(?=super)|sxm(?=\d)"
    r"|[a-z0-9]+(?:\.\d\w*)?"
)
_SILENT = frozenset(
    ("nvidia", "corporation", "tm", "r", "gpu", "graphics", "card", "vram", "with", "design", "generation", "edition")
)
_SYNONYMS = {"laptop": "mobile", "notebook": "mobile"}
_BRANDS = frozenset(("geforce", "tesla", "quadro"))
_PLAIN_BRANDS = frozenset(("geforce", "tesla"))
_QUALIFIER = re.compile(r"\d+gb|(?:g?ddr|hbm)\w*|pcie|sxm|nvl\d*|[dh]gx")
_MODEL = re.compile(
    r"(?!x\d$|v\d$)(?:[a-z]{0,3}\d{3,}\w*|[a-z]{1,3}\d{1,2}[a-z]{0,2}|\d\dhx|titan|thor|orin|xavier|spark|nano)"
)
# Quadro 600 to 6000 are Fermi boards of 2010: not the later Quadro RTX of the same number.
_QUADRO_OF_OLD = re.compile(r"\d{3,4} quadro")
_NVIDIA = re.compile(r"nvidia|geforce|quadro|tesla|[rg]tx", re.IGNORECASE)


def read_gpu(catalog: Catalog, text: str) -> GpuMatch:
    """What `text` means; a text that means nothing here comes back without capabilities, never as a guess."""
    return _stated(catalog, text) if _CAPABILITY.search(text) else _named(catalog, text)


def _named(catalog: Catalog, text: str) -> GpuMatch:
    """What a name means, whatever numbers are in it."""
    count, name = _split_count(_COUNT_BEFORE, text.strip())
    meanings = _names_with(catalog, _words(name.casefold()))
    if not meanings and count == 1:
        count, name = _split_count(_COUNT_AFTER, name)
    meanings = meanings or _meanings(catalog, name)
    if not meanings and count > 1:
        meanings = _meanings(catalog, re.sub(r"(?<=\d)s\b", "", name))
    vendor, family = _other_vendor(catalog, name)
    if not meanings:
        near = () if vendor else _near(catalog, name)
        return GpuMatch(name=name, candidates=near, vendor=vendor, index_family=family, count=count)
    candidates = _candidates(meanings)
    if vendor:
        return GpuMatch(name=name, candidates=(f"{vendor} {name}", *candidates[: MOST_CANDIDATES - 1]), count=count)
    capabilities = tuple(sorted({meaning.capability for meaning in meanings}, key=float))
    platforms = {meaning.platform for meaning in meanings}
    platform = platforms.pop() if len(platforms) == 1 else None
    if len(capabilities) == 1:
        return GpuMatch(name=_common_name(meanings), capabilities=capabilities, platform=platform, count=count)
    return GpuMatch(name=name, capabilities=capabilities, candidates=candidates, platform=platform, count=count)


def products_of(catalog: Catalog, name: str) -> tuple[str, ...]:
    """The products that a name as understood means: the one of exactly its words, else all that have them."""
    typed = _words(name.casefold()) - _PLAIN_BRANDS
    words = {product: _words(product.casefold()) - _PLAIN_BRANDS for product, _, _ in catalog.payload["gpus"]}
    exact = tuple(product for product in words if words[product] == typed)
    return exact or tuple(product for product in words if typed and typed <= words[product])


def _split_count(pattern: re.Pattern[str], text: str) -> tuple[int, str]:
    match = pattern.search(text) if pattern is _COUNT_AFTER else pattern.match(text)
    if not match or int(match[1]) < 1:
        return 1, text
    return int(match[1]), (text[: match.start()] + text[match.end() :]).strip()


def _stated(catalog: Catalog, text: str) -> GpuMatch:
    """A capability that is said outright decides; the name beside it is kept where it can have that capability."""
    stated = {
        match["bare"] or match["dotted"] or f"{match['major']}.{match['minor']}" for match in _CAPABILITY.finditer(text)
    }
    capabilities = tuple(sorted(stated, key=float))
    beside = _named(catalog, re.sub(r"\(\s*\)", "", _CAPABILITY.sub("", text)).strip(" ,;:"))
    spelled = tuple(f"compute capability {capability}" for capability in capabilities)
    name = beside.name if stated <= set(beside.capabilities) else " or ".join(spelled)
    return GpuMatch(
        name=name, capabilities=capabilities, candidates=spelled, platform=beside.platform, count=beside.count
    )


def _meanings(catalog: Catalog, text: str) -> list[_Name]:
    """Names that a text means; "GB10 (DGX Spark)" is read as a whole, else as two names for one thing."""
    text = _OUTSIDE_THE_NAME.sub(" ", text.casefold())
    whole = _names_with(catalog, _words(text))
    inside = _PARENTHESIS.search(text)
    if whole or not inside:
        return whole
    outside = _names_with(catalog, _words(_PARENTHESIS.sub(" ", text)))
    return outside + _names_with(catalog, _words(inside[1])) if outside else []


def _names_with(catalog: Catalog, typed: frozenset[str]) -> list[_Name]:
    """The exact name, else all names with the words typed; sizes, form factors and brands may be superfluous.

    Words that name no model ("Blackwell", "Server") are too little to go by, however few names have them.
    """
    qualifiers = frozenset(word for word in typed if _QUALIFIER.fullmatch(word))
    models = [word for word in typed - qualifiers if _MODEL.fullmatch(word)]
    names = list(_names_containing(catalog, max(models or typed, key=len, default="")))
    exact = [name for name in names if name.words - _PLAIN_BRANDS == typed - _PLAIN_BRANDS]
    if exact or not models or _QUADRO_OF_OLD.fullmatch(" ".join(sorted(typed - qualifiers))):
        return exact
    for words in (typed, typed - qualifiers, typed - _BRANDS, typed - qualifiers - _BRANDS):
        if found := [name for name in names if words <= name.words]:
            return found
    return []


def _names_containing(catalog: Catalog, word: str) -> Iterator[_Name]:
    """Catalogue names with a word in them; the cheap look at the letters comes first, since there are hundreds."""
    for text, capability, platform in _all_names(catalog):
        if word in text.casefold().replace(" ", "").replace("-", ""):
            yield _Name(text, capability, platform, _words(text.casefold()))


def _all_names(catalog: Catalog) -> Iterable[tuple[str, str, str | None]]:
    for table in ("gpus", "nvidia_smi_names"):
        yield from catalog.payload[table]


def _words(text: str) -> frozenset[str]:
    """The words of a lower-case name: memory sizes and board numbers joined, model numbers set apart."""
    text = _MAX_Q.sub("maxq", _BOARD_NUMBER.sub(r"\1\2", _MEMORY.sub(r"\1gb ", text)))
    return frozenset(_SYNONYMS.get(word, word) for word in _WORD.findall(text)) - _SILENT


def _candidates(meanings: list[_Name]) -> tuple[str, ...]:
    """Names to choose from, sorted; where there are too many, the shortest of each capability stay."""
    ranked: dict[str, list[str]] = {}
    for meaning in sorted(meanings, key=lambda meaning: (len(meaning.text), meaning.text)):
        ranked.setdefault(meaning.capability, []).append(meaning.text.removeprefix("NVIDIA "))
    turns = zip_longest(*ranked.values())
    chosen = dict.fromkeys(name for turn in turns for name in turn if name)
    return tuple(sorted(list(chosen)[:MOST_CANDIDATES]))


def _common_name(meanings: list[_Name]) -> str:
    """How to call what all meanings share: "Tesla V100" for its six boards, in the words of the shortest name."""
    shared = frozenset.intersection(*(meaning.words for meaning in meanings))
    shortest_first = sorted((meaning.text.removeprefix("NVIDIA ") for meaning in meanings), key=len)
    for name in shortest_first:
        common = " ".join(part for part in _PART.findall(name) if _words(part.casefold()) <= shared)
        if shared and _words(common.casefold()) == shared:
            return common
    return shortest_first[0]


def _other_vendor(catalog: Catalog, text: str) -> tuple[str | None, str | None]:
    if not _NVIDIA.search(text):
        for vendor, pattern, family in catalog.payload["vendors"]:
            if re.search(pattern, text, re.IGNORECASE):
                return vendor, family
    return None, None


def _near(catalog: Catalog, text: str) -> tuple[str, ...]:
    """Names spelled alike, nearest first, for the message alone."""
    from difflib import get_close_matches

    spellings = {_unbranded(name): name.removeprefix("NVIDIA ") for name, _, _ in _all_names(catalog)}
    near = get_close_matches(_unbranded(text[:60]), spellings, n=4, cutoff=0.75)
    return tuple(spellings[spelling] for spelling in near)


def _unbranded(name: str) -> str:
    return " ".join(word for word in name.casefold().split() if word not in _BRANDS | _SILENT)
