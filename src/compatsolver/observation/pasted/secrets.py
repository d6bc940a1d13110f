"""Take out of a paste what nobody needs to see again: tokens, passwords, names of people and of hosts, addresses.

Versions have the shape of addresses ("9.10.2.21"), so a bare address goes only where its neighbourhood says what it is.
"""

from __future__ import annotations

import re

_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}(?![.\d])"
_RULES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (needle, re.compile(pattern, flags), replacement)
    for needle, pattern, replacement, flags in (
        ("hf_", r"\bhf_[A-Za-z0-9]{16,}", "TOKEN", 0),
        ("gh", r"\bgh[pousr]_[A-Za-z0-9]{16,}", "TOKEN", 0),
        ("github_pat_", r"\bgithub_pat_\w{20,}", "TOKEN", 0),
        ("glpat-", r"\bglpat-[\w-]{16,}", "TOKEN", 0),
        ("sk-", r"\bsk-[\w-]{16,}", "TOKEN", 0),
        ("xox", r"\bxox[abprs]-[\w-]{10,}", "TOKEN", 0),
        ("npm_", r"\bnpm_[A-Za-z0-9]{20,}", "TOKEN", 0),
        ("pypi-", r"\bpypi-[\w-]{40,}", "TOKEN", 0),
        ("AKIA", r"\bAKIA[0-9A-Z]{12,}", "TOKEN", 0),
        ("ASIA", r"\bASIA[0-9A-Z]{12,}", "TOKEN", 0),
        ("AIza", r"\bAIza[\w-]{30,}", "TOKEN", 0),
        ("eyJ", r"\beyJ[\w-]{10,}\.[\w-]{6,}(?:\.[\w-]{6,})?", "TOKEN", 0),
        ("earer ", r"\b([Bb]earer )[\w.~+/=-]{8,}", r"\1TOKEN", 0),
        ("PRIVATE KEY", r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,8000}", "TOKEN", 0),
        (
            "",
            r"\b(\w{0,40}(?:token|secret|passwd|password|api_?key|access_?key|private_?key)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
            r"(?!none\b|null\b|true\b|false\b)[^\s\"',;&]{6,}",
            r"\1TOKEN",
            re.IGNORECASE,
        ),
        ("://", r"(://)[^\s/@:]{1,80}(?::[^\s/@]{0,200})?@", r"\1USER@", 0),
        ("home/", r"(/home/)[^\s/:'\"<>|]{1,64}", r"\1USER", 0),
        (
            "Users",
            r"([/\\]Users[/\\]{1,2})(?!Public\b)[^/\\:'\"<>|\r\n]{1,64}?(?=[/\\'\">\n]|$)",
            r"\1USER",
            re.MULTILINE,
        ),
        (
            "",
            r"\b((?:hostname|host name|nodename|slurmd_nodename|logname|computername|username|master_addr)\s{0,12}[=:]\s{0,3})\S+",
            r"\1HOST",
            re.IGNORECASE,
        ),
        ("USER=", r"\b((?:SUDO_)?USER=)[\"']?[\w.-]{1,64}", r"\1USER", 0),
        ("Linux ", r"^((?:.{0,40}\s)?Linux )[\w.-]{1,64}(?= \d{1,2}\.\d{1,3}[.\d]*-?)", r"\1HOST", re.MULTILINE),
        (" kernel:", r"^(\w{3} {1,2}\d{1,2} [\d:]{8} )[\w.-]{1,64}(?= kernel:)", r"\1HOST", re.MULTILINE),
        ("NCCL", r"^[\w.-]{1,64}(?=:\d{1,8}:\d{1,8} (?:\[\d{1,3}\] )?NCCL )", "HOST", re.MULTILINE),
        ("GPU-", r"\bGPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "GPU-UUID", 0),
        ("MIG-", r"\bMIG-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "MIG-UUID", 0),
        ("@", r"(?<![\w./])[A-Za-z_][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b", "EMAIL", 0),
        ("@", r"(?<![\w./@-])[A-Za-z_][\w.-]{0,31}@(?!v?\d)[A-Za-z][\w.-]{0,63}(?=[:\s~\])])", "USER@HOST", 0),
        ("[", r"^(\[)[a-z_][\w.-]{0,31}@[\w.-]{1,63}(?= )", r"\1USER@HOST", re.MULTILINE),
        (
            ".",
            r"(?<![\w.=-])(?:127\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?![.\d])",
            "ADDRESS",
            0,
        ),
        (".", rf"(?<![\w.=-]){_ADDRESS}(?=:\d{{2,5}}\b)", "ADDRESS", 0),
        (
            ".",
            rf"\b((?:inet|host|ip|address|addr|server|master|from|to|peer|listening on|connect)\b[^\w\n]{{1,4}}){_ADDRESS}",
            r"\1ADDRESS",
            re.IGNORECASE,
        ),
        ("://", rf"(://){_ADDRESS}", r"\1ADDRESS", 0),
        ("fe80:", r"\bfe80:[0-9a-f:]{2,40}", "ADDRESS", 0),
        (":", r"\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b", "ADDRESS", re.IGNORECASE),
        (":", r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "ADDRESS", re.IGNORECASE),
    )
)


def redacted(text: str) -> str:
    """The text with each secret replaced by one word that says what it was."""
    for needle, pattern, replacement in _RULES:
        if needle in text:
            text = pattern.sub(replacement, text)
    return text
