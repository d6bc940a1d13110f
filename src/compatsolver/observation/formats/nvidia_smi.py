"""What nvidia-smi prints: the table, its header in each era, `-L`, `-q`, query tables and its failure sentences."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Value(NamedTuple):
    """A text that nvidia-smi gives for an axis, as printed, and the index `at` which its line stands."""

    axis: str
    text: str
    at: int


_VERSION = r"\d{2,4}(?:\.(?:\d{1,4}|x{1,3})){0,3}"
_HEADER = re.compile(
    rf"NVIDIA-SMI\s{{1,4}}(?P<nvidia_smi>{_VERSION})"
    rf"|Driver Version\s{{0,30}}:?\s{{0,4}}(?P<driver>{_VERSION})"
    rf"|KMD Version\s{{0,30}}:\s{{0,4}}(?P<kernel_module>{_VERSION})"
    rf"|CUDA (?:UMD )?Version\s{{0,30}}:\s{{0,4}}(?P<driver_cuda>\d{{1,2}}\.\d{{1,2}})"
    rf"|NVML (?:library )?version\s{{0,30}}:\s{{0,4}}(?P<nvml_library>{_VERSION})"
)
_LISTED = re.compile(r"\bGPU\s{1,2}(\d{1,3}):\s{1,4}([^(\n]{3,80}?)\s{0,4}\((?:UUID|GPU-)")
_MIG_LISTED = re.compile(r"^\W{0,6}MIG\s+(\d{1,2}g\.\d{1,3}gb\S{0,8})\s+Device\s+\d", re.IGNORECASE)
_ROW = re.compile(r"^\s*\|\s{1,4}(\d{1,3}|N/A)\s{1,4}(\S[^|]{2,60}?)\s{1,40}(?:On|Off|N/A|TCC|WDDM|MCDM|ERR!)\s{0,4}\|")
_TRUNCATED = re.compile(r"\.\.\.$|…$")
_MEMORY = re.compile(r"\|\s[^|]{3,60}\|\s+\d{1,7}MiB\s{0,2}/\s{0,2}(?P<memory>\d{1,7})MiB\s")
_LONG = re.compile(
    r"^\s*(?P<key>Product Name|Driver Version|CUDA Version|Attached GPUs|Current|State)\s{1,60}:\s(?P<value>\S.{0,80})$"
)
_LONG_AXES = {"Product Name": "gpu", "Attached GPUs": "device_count"}
_WORTH_A_LOOK = re.compile(r"ersion|NVIDIA-SMI|GPU|MIG|\| | : ")
_QUERY = re.compile(r"--query-gpu=([\w.,]{3,400})")
_CODE = re.compile(r"[$()=\"'{}|]")
_TABLE_HEAD = re.compile(
    r"^\s*(?:index|count|name|gpu_name|driver_version|compute_cap|memory\.total(?: \[MiB\])?|uuid)"
    r"(?:, ?[a-z_.]{2,40}(?: \[\w{1,5}\])?){1,30}\s*$"
)
_QUERY_AXES = {
    "name": "gpu",
    "gpu_name": "gpu",
    "driver_version": "driver",
    "compute_cap": "compute_capability",
    "memory.total": "gpu_memory",
    "memory.total [mib]": "gpu_memory",
    "count": "device_count",
    "mig.mode.current": "mig",
}


def read_nvidia_smi(lines: Sequence[str]) -> Iterator[Value]:
    """Every value in lines printed by nvidia-smi, whatever else stands between them."""
    yield from _query_rows(lines)
    for index, line in enumerate(lines):
        if _WORTH_A_LOOK.search(line):
            yield from _header(line, index)
            yield from _long(lines, index)
            yield from _device(line, index)


def _query_rows(lines: Sequence[str]) -> Iterator[Value]:
    """Rows of `--query-gpu`: their fields are known from the command or from the table's first line."""
    names: Sequence[str] = ()
    for index, line in enumerate(lines):
        if "--query-gpu" in line and (query := _QUERY.search(line)):
            names = query[1].split(",")
        elif "," in line and (head := _TABLE_HEAD.match(line)):
            names = [name.strip() for name in head[0].lower().split(",")]
        elif names:
            values = list(_query_row(line, names, index))
            yield from values
            names = names if values or not line.strip() else ()


def _header(line: str, index: int) -> Iterator[Value]:
    """The version line; a line that has "CUDA Version" alone is nvidia-smi's only with its name or driver beside it."""
    if "ersion" not in line and "NVIDIA-SMI" not in line:
        return
    is_table = "NVIDIA-SMI" in line or "Driver Version" in line or "UMD" in line or "nvidia-smi" in line
    for match in _HEADER.finditer(line):
        axis = match.lastgroup or ""
        if axis != "driver_cuda" or is_table:
            yield Value(axis, match[axis], index)


def _device(line: str, index: int) -> Iterator[Value]:
    if "GPU" in line and (listed := _LISTED.search(line)):
        yield Value("gpu", listed[2], index)
    elif "MIG" in line and (slice_ := _MIG_LISTED.search(line)):
        yield Value("mig", slice_[1], index)
    elif "|" in line:
        row = _ROW.match(line)
        if row and not _TRUNCATED.search(row[2]):
            yield Value("gpu", row[2], index)
        if memory := _MEMORY.search(line):
            yield Value("gpu_memory", memory["memory"], index)


def _long(lines: Sequence[str], index: int) -> Iterator[Value]:
    """`nvidia-smi -q`: one key a line; a state is the fabric's where the line above says so."""
    line = lines[index]
    if " : " not in line:
        return
    match = _LONG.match(line)
    if not match:
        return
    key, value = match["key"], match["value"]
    above = lines[index - 1].strip() if index else ""
    if key in _LONG_AXES:
        yield Value(_LONG_AXES[key], value, index)
    elif key == "CUDA Version":
        yield Value("driver_cuda", value, index)
    elif key == "State" and above == "Fabric":
        yield Value("fabric_state", value.lower(), index)
    elif key == "Current" and above == "MIG Mode" and value != "N/A":
        yield Value("mig", value.lower(), index)


def _query_row(line: str, names: Sequence[str], index: int) -> Iterator[Value]:
    """One row of a query's table, if it has as many fields as were asked for."""
    fields = next(csv.reader([line], skipinitialspace=True), [])
    if len(fields) != len(names) or any(not each.strip() for each in fields) or _CODE.search(line):
        return
    for name, text in zip(names, fields, strict=True):
        axis = _QUERY_AXES.get(name.strip().lower())
        if axis and "N/A" not in text and not text.startswith("["):
            yield Value(axis, text.removesuffix("MiB").strip().lower() if axis != "gpu" else text.strip(), index)
