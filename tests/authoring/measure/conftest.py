"""Wheels with a library in them that nvcc made."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

NAME = "torch-2.9.1-cp312-cp312-manylinux_2_28_x86_64.whl"
METADATA = """Metadata-Version: 2.1
Name: torch
Version: 2.9.1
Requires-Python: >=3.10
Requires-Dist: filelock
Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == "Linux"
Requires-Dist: nvidia-nccl-cu12==2.27.5; platform_system == "Linux" and platform_machine == "aarch64"
Requires-Dist: triton==3.5.1; platform_system == "Linux"
Requires-Dist: opt-einsum>=3.3; extra == "opt-einsum"
"""
VERSION = (
    "from typing import Optional\n__version__ = '2.9.1+cu128'\ncuda: Optional[str] = '12.8'\nhip = None\nx = f()\n"
)


def contents() -> dict[str, bytes]:
    library = Path(__file__).with_name("made_by_nvcc_13.so").read_bytes()
    return {
        "torch/version.py": VERSION.encode(),
        "torch/lib/libtorch_cuda.so": library,
        "torch/lib/libcudart-0a1b2c3d.so.12": b"\x7fELF and no more",
        "torch/lib/cudnn64_9.dll": b"MZ",
        "torch-2.9.1.dist-info/METADATA": METADATA.encode(),
    }


@pytest.fixture
def wheel() -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, data in contents().items():
            archive.writestr(name, data)
    return buffer.getvalue()
