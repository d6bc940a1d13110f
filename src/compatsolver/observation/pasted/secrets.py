"""Take out of a paste what nobody needs to see again: tokens, passwords, names of people and of hosts, addresses.

Versions have the shape of addresses ("9.10.2.21"), so a bare address goes only where its neighbourhood says what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}(?![.\d])"
_HOST = r"[\w.-]{1,64}"


@dataclass(frozen=True)
class _Rule:
    """`needles` are lower-case texts of which one must be there; "" always is."""

    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    replacement: str


def _rule(needles: str, pattern: str, replacement: str = "TOKEN", flags: int = 0) -> _Rule:
    return _Rule(tuple(needles.split("|")), re.compile(pattern, flags | re.ASCII | re.MULTILINE), replacement)


_TOKENS = (
    _rule("hf_", r"\bhf_[A-Za-z0-9]{16,}"),
    _rule("ghp_|gho_|ghu_|ghs_|ghr_", r"\bgh[pousr]_[A-Za-z0-9]{16,}"),
    _rule("github_pat_", r"\bgithub_pat_\w{20,}"),
    _rule("glpat-", r"\bglpat-[\w-]{16,}"),
    _rule("sk-", r"\bsk-[\w-]{16,}"),
    _rule("xox", r"\bxox[abprs]-[\w-]{10,}"),
    _rule("npm_", r"\bnpm_[A-Za-z0-9]{20,}"),
    _rule("pypi-", r"\bpypi-[\w-]{40,}"),
    _rule("akia|asia", r"\bA[KS]IA[0-9A-Z]{12,}"),
    _rule("aiza", r"\bAIza[\w-]{30,}"),
    _rule("eyj", r"\beyJ[\w-]{10,}\.[\w-]{6,}(?:\.[\w-]{6,})?"),
    _rule("bearer ", r"\b(bearer )[\w.~+/=-]{8,}", r"\1TOKEN", re.IGNORECASE),
    _rule("private key", r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,8000}"),
    _rule(
        "token|secret|passw|api_key|apikey|access_key|private_key",
        r"((?:token|secret|passwd|password|api_?key|access_?key|private_?key)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
        r"(?!none\b|null\b|true\b|false\b)[^\s\"',;&()]{6,200}",
        r"\1TOKEN",
        re.IGNORECASE,
    ),
    _rule("://", r"(://)[^\s/@:]{1,80}(?::[^\s/@]{0,200})?@", r"\1USER@"),
)
_PEOPLE = (
    _rule("home/", r"(/home/)[^\s/:'\"<>|]{1,64}", r"\1USER"),
    _rule("users", r"([/\\]Users[/\\]{1,2})(?!Public\b)[^/\\:'\"<>|\r\n]{1,64}?(?=[/\\'\">\n]|$)", r"\1USER"),
    _rule("user=", r"\b((?:SUDO_)?USER=)[\"']?[\w.-]{1,64}", r"\1USER"),
    _rule("logname|username", r"\b((?:logname|username)\s{0,12}[=:]\s{0,3})\S{1,80}", r"\1USER", re.IGNORECASE),
    _rule("@", r"(?<![\w./])[A-Za-z_][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b", "EMAIL"),
    _rule("@", r"(?<![\w./@-])[A-Za-z_][\w.-]{0,31}@(?!v?\d)[A-Za-z][\w.-]{0,63}(?=[:\s~\])])", "USER@HOST"),
    _rule("[", r"^(\[)[a-z_][\w.-]{0,31}@[\w.-]{1,63}(?= )", r"\1USER@HOST"),
)
_MACHINES = (
    _rule(
        "host|nodename|computername|master_addr",
        rf"\b((?:hostname|host name|nodename|slurmd_nodename|computername|master_addr)\s{{0,12}}[=:]\s{{0,3}}){_HOST}",
        r"\1HOST",
        re.IGNORECASE,
    ),
    _rule(
        "linux ",
        rf"^((?:.{{0,40}}\s)?Linux )(?!release |version |kernel "
        rf"){_HOST}(?= \d{{1,2}}\.\d{{1,3}}\.\d)",
        r"\1HOST",
    ),
    _rule(" kernel:", rf"^(\w{{3}} {{1,2}}\d{{1,2}} [\d:]{{8}} ){_HOST}(?= kernel:)", r"\1HOST"),
    _rule("nccl", rf"^{_HOST}(?=:\d{{1,8}}:\d{{1,8}} (?:\[\d{{1,3}}\] )?NCCL )", "HOST"),
    _rule("gpu-", r"\bGPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GPU-UUID"),
    _rule("mig-", r"\bMIG-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "MIG-UUID"),
    _rule("fe80:", r"\bfe80:[0-9a-f:]{2,40}", "ADDRESS"),
    _rule("", r"\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b", "ADDRESS", re.IGNORECASE),
    _rule("", r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "ADDRESS", re.IGNORECASE),
)
_ADDRESSES = (
    _rule("", r"(?<![\w.=-])(?:127\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![.\d])", "ADDRESS"),
    _rule("", rf"(?<![\w.=-]){_ADDRESS}(?=:\d{{2,5}}\b)", "ADDRESS"),
    _rule("", rf"(://){_ADDRESS}", r"\1ADDRESS"),
    _rule(
        "",
        rf"\b((?:inet|host|ip|address|addr|server|master|from|to|peer|on|connect)\b[^\w\n]{{1,4}}){_ADDRESS}",
        r"\1ADDRESS",
        re.IGNORECASE,
    ),
)
_ANY_ADDRESS = re.compile(_ADDRESS, re.ASCII)


def redacted(text: str) -> str:
    """The text with each secret replaced by one word that says what it was."""
    lowered = text.lower()
    rules = (*_TOKENS, *_PEOPLE, *_MACHINES, *(_ADDRESSES if _ANY_ADDRESS.search(text) else ()))
    for rule in rules:
        if any(needle in lowered for needle in rule.needles):
            text = rule.pattern.sub(rule.replacement, text)
    return text
