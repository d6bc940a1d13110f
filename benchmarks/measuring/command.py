"""The command line that whole-process benchmarks run: hardware given, six packages."""

from __future__ import annotations

import sys

PACKAGES = ("torch", "transformers", "peft", "accelerate", "datasets", "bitsandbytes")
PYTHON = "3.12"
HARDWARE = (
    *("--gpu", "RTX 4090", "--driver", "535.98"),
    *("--python", PYTHON, "--platform", "linux-x86_64", "--glibc", "2.35"),
)
RESOLVE = (sys.executable, "-m", "compatsolver", "resolve", *PACKAGES, *HARDWARE)
GIVEN = f"{' '.join(PACKAGES)}; RTX 4090, driver 535.98, Python {PYTHON}, Linux, glibc 2.35"
