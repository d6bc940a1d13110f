from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]

TABLE = """\
Tue Nov 12 10:11:12 2024
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.183.01             Driver Version: 535.183.01   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
|=========================================+======================+======================|
|   0  NVIDIA GeForce RTX 2080 Ti     Off | 00000000:01:00.0 Off |                  N/A |
| 27%   31C    P8              14W / 250W |      1MiB / 11264MiB |      0%      Default |
+-----------------------------------------+----------------------+----------------------+
|   1  NVIDIA RTX 6000 Ada Gene...     On | 00000000:02:00.0 Off |                  Off |
| ERR!  ERR! ERR!             N/A / ERR!  |      1MiB / 49140MiB |     ERR!      Default |
"""


def test_table(read: Read) -> None:
    values = read(TABLE)
    assert values["driver"] == ("535.183.01",)
    assert values["driver_cuda"] == ("12.2",)
    assert values["gpu"] == ("NVIDIA GeForce RTX 2080 Ti", "NVIDIA RTX 6000 Ada")
    assert values["gpu_memory"] == ("11264", "49140")
    assert not {"nvcc", "torch_cuda"} & values.keys()


def test_wsl_shows_two_versions(read: Read) -> None:
    values = read("| NVIDIA-SMI 550.76.01              Driver Version: 552.22         CUDA Version: 12.4     |")
    assert values["nvidia_smi"] == ("550.76.01",)
    assert values["driver"] == ("552.22",)


def test_newest_header_names_user_and_kernel_mode(read: Read) -> None:
    values = read("| NVIDIA-SMI 595.45.04      KMD Version: 595.45.04      CUDA UMD Version: 13.2     |")
    assert values["kernel_module"] == ("595.45.04",)
    assert values["driver_cuda"] == ("13.2",)


def test_list_and_mig(read: Read) -> None:
    values = read(
        "GPU 0: NVIDIA A30 (UUID: GPU-0a1b2c3d-1111-2222-3333-444455556666)\n"
        "  MIG 2g.12gb     Device  0: (UUID: MIG-9a8b7c6d-1111-2222-3333-444455556666)\n"
    )
    assert values["gpu"] == ("NVIDIA A30",)
    assert values["mig"] == ("2g.12gb",)


@pytest.mark.parametrize(
    "text",
    [
        "$ nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv\n"
        "name, compute_cap, driver_version, memory.total [MiB]\nNVIDIA T4G, 7.5, 550.90.07, 15360 MiB\n",
        "nvidia-smi --query-gpu=index,name,compute_cap,driver_version,memory.total --format=csv,noheader\n"
        "0, NVIDIA T4G, 7.5, 550.90.07, 15360 MiB\n",
    ],
)
def test_query(read: Read, text: str) -> None:
    values = read(text)
    assert values["gpu"] == ("NVIDIA T4G",)
    assert values["compute_capability"] == ("7.5",)
    assert values["driver"] == ("550.90.07",)
    assert values["gpu_memory"] == ("15360",)


def test_a_query_ends_where_the_rows_end(read: Read) -> None:
    values = read(
        '$ nvidia-smi --query-gpu=name,driver_version --format=csv,noheader\n$ python -c "print(1, 2)"\n1, 2\n'
    )
    assert "gpu" not in values


def test_long_form(read: Read) -> None:
    values = read(
        "Driver Version                            : 570.86.15\nCUDA Version                              : 12.8\n\n"
        "Attached GPUs                             : 8\nGPU 00000000:19:00.0\n"
        "    Product Name                          : NVIDIA H100 80GB HBM3\n"
        "    MIG Mode\n        Current                           : Disabled\n"
        "    Fabric\n        State                             : In Progress\n"
    )
    assert values["driver"] == ("570.86.15",)
    assert values["driver_cuda"] == ("12.8",)
    assert values["device_count"] == ("8",)
    assert "NVIDIA H100 80GB HBM3" in values["gpu"]
    assert values["mig"] == ("disabled",)
    assert values["fabric_state"] == ("in progress",)


def test_library_and_module_apart(read: Read) -> None:
    values = read(
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.120\n"
        "[  12.3] NVRM: API mismatch: the client has the version 550.120, but\n"
        "         NVRM: this kernel module has the version 550.107.02.  Please\n"
    )
    assert values["nvml_library"] == ("550.120",)
    assert values["kernel_module"] == ("550.107.02",)
    assert "driver" not in values
