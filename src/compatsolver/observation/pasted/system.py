"""The system around the stack: kernel and its log, Windows, WSL, glibc, Jetson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.observation.pasted.phrases import Found, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_DRIVER = r"\d{3}\.\d{1,3}(?:\.\d{1,3})?"

PHRASES = (
    phrase(
        "nvrm version:",
        rf"NVRM version: NVIDIA UNIX (?:Open )?(?:(?P<arch>x86_64|aarch64|arm64) )?(?:Open )?Kernel Module"
        rf"(?: for \w{{3,9}})?\s+(?P<kernel_module>{_DRIVER})",
    ),
    phrase(
        "kernel module",
        rf"loading NVIDIA UNIX (?:Open )?(?:\w{{5,8}} )?Kernel Module(?: for \w{{3,9}})?\s+"
        rf"(?P<kernel_module>{_DRIVER})",
    ),
    phrase("kernel module", rf"kernel module(?: version)?:? (?P<kernel_module>{_DRIVER})"),
    phrase(
        "api mismatch",
        rf"API mismatch: .{{0,60}}(?:client|the client) has(?: the)? version "
        rf"(?P<nvml_library>{_DRIVER}).{{0,60}}kernel module has(?: the)? version "
        rf"(?P<kernel_module>{_DRIVER})",
        span=3,
    ),
    phrase("has the version", rf"kernel module has(?: the)? version (?P<kernel_module>{_DRIVER})", span=2),
    phrase("nvml library version", r"NVML library version: (?P<nvml_library>\d{3}\.\d{1,3}(?:\.\d{1,3})?)"),
    phrase("nvidia driver will ignore", rf"The (?P<driver>{_DRIVER}) NVIDIA driver will ignore"),
    phrase("nvrm", r"NVRM: The NVIDIA (?P<gpu>(?:NVIDIA )?[A-Z][\w .-]{2,60}?) GPU installed in this system"),
    phrase("mig", r"\bMIG (?:mode )?(?:is |was )?(?:set to |turned |switched )?(?P<mig>enabled|disabled)\b"),
    phrase("mig", r"\bMIG\b.{0,40}?\b(?P<mig>\d{1,2}g\.\d{1,3}gb)\b"),
    phrase("no mig devices found", r"No MIG devices found", mig="enabled"),
    phrase("mig-uuid", r"MIG-UUID", mig="enabled"),
    phrase("libcuda.so.", r"libcuda\.so\.(?P<libcuda>\d{3}\.\d{1,3}(?:\.\d{1,3})?)"),
    phrase("libnvidia-ml.so.", r"libnvidia-ml\.so\.(?P<nvml_library>\d{3}\.\d{1,3}(?:\.\d{1,3})?)"),
    phrase(
        "modinfo", r"modinfo nvidia\b.{0,60}\bversion:\s{1,20}(?P<kernel_module>\d{3}\.\d{1,3}(?:\.\d{1,3})?)", span=4
    ),
    phrase("ldd (", r"ldd \([^)\n]{1,60}\) (?P<glibc>2\.\d{1,2})"),
    phrase("glibc", r"\bglibc[ :=-]{1,3}(?:version )?(?P<glibc>2\.\d{1,2})(?![\d.]*\d)"),
    phrase("gnu c library", r"GNU C Library .{0,60}version (?P<glibc>2\.\d{1,2})"),
    phrase(
        "linux",
        r"\bLinux \S{1,64} (?P<kernel>\d{1,2}\.\d{1,3}\.\d{1,3}[\w.+-]{0,60}) .{0,120}?(?P<arch>x86_64|aarch64)\b",
    ),
    phrase("tegra", r"\b(?P<kernel>\d\.\d{1,3}\.\d{1,3}-(?:\d{1,5}-)?tegra)\b"),
    phrase("microsoft", r"\b(?P<kernel>\d\.\d{1,3}\.\d{1,3}(?:\.\d{1,3})?-microsoft-standard(?:-WSL2)?)", wsl="2"),
    phrase("wsl", r"(?<!\[ \] )\bWSL ?(?P<wsl>[12])\b(?! or)(?![^\n]{0,40}\?)"),
    phrase("wsl", r"\bWSL kernel (?P<kernel>\d\.\d{1,3}\.\d{1,3}[\w.+-]{0,40})", wsl="2"),
    phrase("wsl version", r"WSL version: (?P<wsl>\d)\.", flags=0),
    phrase("version 10.0.", r"Version (?P<windows_build>10\.0\.\d{5}(?:\.\d{1,5})?)"),
    phrase(
        "windows",
        r"\b(?P<os>(?:Microsoft )?Windows (?:10|11|7|8\.1|Server 20\d\d)(?: (?:Home|Pro|Enterprise|Education))?)\b",
    ),
    phrase("ubuntu", r"\b(?P<os>Ubuntu \d{2}\.\d{2}(?:\.\d{1,2})?(?: LTS)?)(?![\w.])", flags=0),
    phrase("pretty_name", r"PRETTY_NAME=\"(?P<os>[^\"\n]{3,60})\""),
    phrase("description:", r"^Description:\s{1,8}(?P<os>[A-Z][a-z]{2,20}[^\n]{1,50}\d)"),
    phrase(
        "release",
        r"\b(?P<os>(?:CentOS|Red Hat|Rocky|AlmaLinux|Fedora|Oracle)[\w ]{0,30} release \d{1,2}(?:\.\d{1,4}){0,2})",
    ),
    phrase(
        "o",
        r"\b(?P<os>(?:Debian|CentOS|RHEL|Fedora|Rocky Linux|AlmaLinux|openSUSE|Amazon Linux|NixOS|macOS)(?: "
        r"GNU/Linux)? \d{1,2}(?:\.\d{1,2})?)(?![\w.])",
        flags=0,
    ),
    phrase("macos", r"(?:^|[\s,(])(?P<os>macOS)(?=[\s,)]|$)", flags=0),
    phrase("mac", r"\b(?:MacBook|iMac|Mac (?:mini|Studio|Pro))\b", os="macOS", flags=0),
    phrase("apple", r"\bApple (?:[Ss]ilicon|M[1-9])\b", os="macOS", flags=0),
    phrase("jetpack", r"\bJetPack ?(?:version |SDK )?(?P<jetpack>\d(?:\.\d){0,2})\b"),
    phrase("(release), revision:", r"# R(?P<l4t>\d{2}) \(release\), REVISION: (?P<l4t_2>\d\.\d{1,2})"),
    phrase("l4t", r"\bL4T[ :-]{1,3}R?(?P<l4t>\d{2}\.\d(?:\.\d{1,2})?)"),
    phrase("nvidia-l4t-core", r"nvidia-l4t-core\s{1,40}(?P<l4t>\d{2}\.\d\.\d{1,2})"),
    phrase("windows", r"(?:^|[\s,(])(?P<os>Windows)(?=[\s,)\[]|$)(?! \d| Server)", flags=0),
    phrase("winerror", r"\[WinError \d{1,5}\]", os="Windows"),
    phrase(":\\", r"(?<![\w/])[A-Z]:\\[\w.]", os="Windows", flags=0),
    phrase("-linux-gnu", r"(?P<arch>x86_64|aarch64)-linux-gnu"),
    phrase("architecture:", r"^\W{0,4}Architecture:\s{1,40}(?P<arch>x86_64|aarch64|arm64)"),
    phrase("aarch64", r"(?:^|[\s,(])(?P<arch>aarch64)(?=[\s,;)]|$)"),
    phrase("x86_64", r"^\W{0,3}(?P<arch>x86_64)$"),
)


def read(lines: Lines) -> Iterator[Found]:
    """What the kernel, the C library and the names of systems say."""
    release = ""
    for each in PHRASES:
        for one in each.read(lines):
            if one.axis == "l4t" and "." not in one.value:
                release = one.value
            elif one.axis == "l4t" and release:
                yield one._replace(value=f"{release}.{one.value}")
                release = ""
            else:
                yield one
