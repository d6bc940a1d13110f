"""What was read about a machine: one value of one axis, and where it stood.

An axis is a name of `AXES`, `package:<normalised name>` or `env:<NAME>`. Values are normalised texts, so that what two
readers saw of one thing compares equal. A value says only what its line says: "CUDA version 12.1" in prose belongs to
no axis, since it may be the driver's ceiling, the toolkit or the runtime that torch was built for.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.diagnosis import Finding

PACKAGE = "package:"
VARIABLE = "env:"
DOCUMENT = "as described"
"""The reader of what the author of an environment document states."""

AXES: Mapping[str, str] = MappingProxyType(
    {
        # the graphics processor
        "gpu": "a GPU's name as printed, each distinct name once: 'NVIDIA GeForce RTX 4090', 'AMD Radeon RX 7900'",
        "gpu_memory": "memory of a GPU in MiB: '24564'",
        "compute_capability": "'8.9'",
        "device_count": "how many GPUs torch, or a listing, counts: '2'",
        "mig": "a MIG slice or mode: '3g.40gb', 'enabled', 'disabled'",
        "virtualization": "how a GPU comes to this system: 'passthrough', 'vgpu' (a guest), 'vgpu host'",
        "pci_device": "an NVIDIA GPU on the PCI bus: '10de:2684'; driven by nothing, 'nouveau', 'vfio-pci' as in how",
        "cuda_available": "torch.cuda.is_available(): 'true' or 'false'",
        # the driver
        "driver": "version of the NVIDIA driver: '535.161.08', on Windows '536.23'; a branch alone is '525'",
        "kernel_module": "version of the loaded kernel module",
        "module_kind": "which kernel module it is: 'open', 'proprietary', 'nouveau'",
        "nvml_library": "version of the user-space NVML library",
        "libcuda": "version of the user-space libcuda",
        "nvidia_smi": "version of the nvidia-smi program, in WSL older or newer than the driver",
        "driver_cuda": "the CUDA ceiling of the driver (nvidia-smi's header, 'found version 12020', __cuda): '12.2'",
        "fabric_state": "state of the NVSwitch fabric: 'completed', 'in progress', 'not started'",
        "nvswitch": "how many NVSwitches the machine has: '4'",
        "fabric_manager": "'running'; 'none' where no such process runs",
        # the system
        "os": "'Ubuntu 22.04.4 LTS', 'Microsoft Windows 11 Home', 'macOS 14.5'",
        "windows_build": "build of Windows: '10.0.19045'",
        "kernel": "release of the kernel: '5.15.0-91-generic', '5.15.90.1-microsoft-standard-WSL2'",
        "platform": "'linux-x86_64', 'linux-aarch64', 'windows-x86_64', 'macos-arm64', 'macos-x86_64'",
        "arch": "'x86_64', 'aarch64', 'arm64'",
        "wsl": "'1', '2', or 'yes' where the generation is not told",
        "wsl_libcuda": "the libcuda that Windows projects: its path; 'none' where it is missing",
        "linux_driver_in_wsl": "version of a Linux driver's libcuda inside WSL: '535.161.08'",
        "l4t": "release of Jetson Linux: '36.3.0'",
        "jetpack": "'6.0'",
        "container": "an image, or the runtime where none is named: 'nvidia/cuda:12.1.1-devel-ubuntu22.04', 'docker'",
        "container_cuda": "the CUDA level of the image: '12.1.1'",
        "container_cudnn": "the cuDNN of the image: '8'",
        "required_cuda": "the CUDA level that an image or a project asks of the driver: '11.8'",
        "glibc": "'2.35'",
        "glibc_required": "a GLIBC symbol version that a library did not find: '2.32'",
        "libstdcxx": "release of the libstdc++ file: '6.0.34'; provided GLIBCXX level as 'GLIBCXX_3.4.29'",
        "libstdcxx_required": "a symbol version that a library did not find: 'GLIBCXX_3.4.30', 'CXXABI_1.3.15'",
        "python": "'3.12.3', free-threaded '3.14.0t'",
        "environment_kind": "what the interpreter belongs to: 'venv', 'uv', 'conda', 'system'",
        # torch, apart from its version (package:torch)
        "torch_cuda": "the CUDA runtime that torch was built for: '12.8'; 'none' for a build without CUDA",
        "torch_hip": "the ROCm level that torch was built for: '6.2'; 'none' where it prints that there is none",
        "torch_archs": "the list of architectures that torch prints: 'sm_70 sm_75 compute_90'",
        "torch_capability_range": "the range that torch prints: '8.0-12.0', '7.5-' where only the minimum is told",
        "torch_cxx11_abi": "'true' or 'false'",
        # toolkit and compilers
        "nvcc": "release of the CUDA compiler, and so of the toolkit: '12.4.131'; 'none' where said to be absent",
        "cuda_home": "the directory of the toolkit; 'none' where it is said to be absent",
        "ptxas": "release of ptxas: '12.8.93'",
        "build_archs": "architectures that a build asks of nvcc or ptxas: 'compute_35 sm_35'",
        "unsupported_arch": "the architecture that nvcc or ptxas refused: 'compute_86'",
        "gcc": "'13.3.0'",
        "gcc_limit": "newest major of gcc that the toolkit's header says it accepts: '10'",
        "clang": "'17.0.6'",
        "msvc": "'19.38', or the product: 'Visual Studio 2022'",
        "cmake": "'3.26.0'",
        # CUDA libraries found at run time
        "cudart": "'12.8.90'",
        "cudnn": "the cuDNN found at run time: '8.2.4', '9.10.2.21'",
        "cudnn_compiled": "the cuDNN that torch says it was compiled against: '8.7.0'",
        "nccl": "the NCCL found at run time: '2.21.5', with the CUDA it was built for where told: '2.21.5+cuda12.4'",
        "cublas": "'12.4.5.8'",
        "present_library": "a shared library that a listing shows: 'libcudnn.so.9'",
        "missing_library": "a shared library that could not be loaded: 'libcudart.so.12', 'fbgemm.dll'",
        "library_path": "the path of a shared library named in an error",
        "undefined_symbol": "a symbol that was not found: 'ncclCommResume'",
        # packages: what is said beside their versions
        "missing_module": "a Python module that does not exist: 'triton.ops'",
        "failing_module": "a compiled module that failed to load: 'flash_attn_2_cuda'",
        "failing_package": "normalised name of the package that an error comes from: 'flash-attn'",
        "built_for": "'<package> <part> <value>': 'xformers torch 2.1.2+cu121', 'torchvision cuda 11.8', "
        "'flash-attn cxx11abi true', 'bitsandbytes cuda 12.2'",
        "not_from_index": "normalised name of a package that came from a folder, a file or a repository",
        "installed_twice": "'<package> <version> <version>' recorded in one folder",
        "declared": "'<package> <version> requires <requirement>': 'vllm 0.9.0 requires torch==2.7.0', or version '*'",
        "requested": "a requirement that somebody asked for: 'torch==1.13.1'",
        "replaced": "a requirement or release that a diff or an installer takes away: 'torch==2.8.0+cu129'",
        "unavailable": "a requirement that the resolver found no distribution for: 'torch==2.9.0+cu121'",
        "available_versions": "'<package> <version> <version> ...' as a resolver lists them",
        "available_pythons": "'<package> <version> <tag> ...': 'torch 2.8.0 cp312 cp313'; the version may be '*'",
        "wheel_tags": "'<package> <version> <python>-<abi>-<platform>' of a wheel's file name",
        "conda_build": "'<package> <version> <build> <channel>': 'torch 2.5.1 cpu_mkl_py312_0 conda-forge'",
        "index": "a package index or channel that was used: 'https://download.pytorch.org/whl/cu128', 'conda-forge'",
        "installer": "'pip 24.0', 'uv 0.5.1', 'conda 24.5.0'",
    }
)


@dataclass(frozen=True)
class Observation:
    """One value of one axis. `line` counts from 1 in the paste and is 0 for the environment document.

    A release of a package may be incomplete: '+cu121' (only the build is told), '1.13.*' (only the minor is told), '*'
    (it is there, and no more is told).
    """

    axis: str
    value: str
    reader: str
    line: int
    quote: str


@dataclass(frozen=True)
class Reading:
    """All that a paste or an environment document says.

    `text` is the paste with colours removed, decoded and with secrets replaced. `readers` are the dialects recognised,
    in order of appearance, `not_understood` what was told and could not be read, `contradictions` sentences about axes
    for which the text gives two values that cannot both be true of one environment. `findings` are faults that the
    values of a machine that was read show by themselves.
    """

    observations: tuple[Observation, ...] = ()
    text: str = ""
    readers: tuple[str, ...] = ()
    not_understood: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def values(self, axis: str) -> tuple[str, ...]:
        """The distinct values of an axis, in order of appearance."""
        return tuple(dict.fromkeys(each.value for each in self.observations if each.axis == axis))
