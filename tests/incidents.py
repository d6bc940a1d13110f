"""Incidents written for these tests: what people paste, and the kind of fault that has to be found in it.

No text is taken from a recorded incident; the shapes are those that the tools print.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Incident(NamedTuple):
    """A paste, what is known of the machine, the kinds that are right, and a subject that a fix has to change."""

    kinds: tuple[str, ...]
    text: str
    environment: dict[str, Any] = {}  # noqa: RUF012
    fix: str | None = None


def _of(kinds: str, text: str, fix: str | None = None, **environment: Any) -> Incident:
    return Incident(tuple(kinds.split()), text, environment, fix)


INCIDENTS = (
    # driver and kernel
    _of(
        "driver_min_for_cuda",
        "RuntimeError: The NVIDIA driver on your system is too old (found version 11060).",
        "driver",
        packages={"torch": "2.4.0+cu121"},
    ),
    _of(
        "driver_min_for_cuda",
        "| NVIDIA-SMI 470.223.02   Driver Version: 470.223.02   CUDA Version: 11.4     |\n"
        ">>> import torch\n>>> torch.cuda.is_available()\nFalse\n",
        "torch",
        packages={"torch": "2.5.1+cu124"},
        gpu="Tesla T4",
        os="Ubuntu 20.04",
    ),
    _of(
        "driver_min_for_cuda",
        "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version",
        "driver",
        packages={"torch": "2.11.0+cu130"},
        driver="550.54.15",
    ),
    _of(
        "driver_min_for_cuda",
        "RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
        "driver",
        nvidia_smi_cuda="12.2",
    ),
    _of(
        "driver_min_for_cuda",
        "docker: Error response from daemon: nvidia-container-cli: requirement error: "
        "unsatisfied condition: cuda>=12.6, please update your driver to a newer version",
        "driver",
    ),
    _of(
        "driver_min_for_cuda",
        "torch 1.12.1+cu116\nCUDA initialization: The NVIDIA driver on your system is too old (found version 10020).",
        "torch",
        packages={"torch": "1.12.1+cu116"},
    ),
    _of(
        "driver_drops_gpu",
        "NVRM: The NVIDIA GeForce GTX 760 GPU installed in this system is\nNVRM:  supported through "
        "the NVIDIA 470.xx Legacy drivers. Please\n",
        "driver",
        driver="535.129.03",
    ),
    _of(
        "driver_drops_gpu", "nvidia-smi: No devices were found", "driver", gpu="GeForce GTX 1080 Ti", driver="595.71.05"
    ),
    _of("driver_drops_gpu", "torch.cuda.is_available() -> False", None, gpu="GeForce RTX 5080", driver="550.120"),
    _of(
        "driver_lib_kernel_mismatch",
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90",
        "system",
    ),
    _of(
        "driver_lib_kernel_mismatch",
        "NVRM: API mismatch: the client has the version 560.35.03, but\nNVRM: this kernel "
        "module has the version 550.107.02.  Please",
        "system",
    ),
    _of(
        "driver_not_loaded",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure "
        "that the latest NVIDIA driver is installed and running.",
        "system",
        os="Debian 12",
    ),
    _of("driver_not_loaded", "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service", "system"),
    _of(
        "driver_not_loaded",
        "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, "
        "e.g. changing env variable CUDA_VISIBLE_DEVICES after program start.",
        "system",
        os="Ubuntu 24.04",
    ),
    _of(
        "driver_not_loaded",
        "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
        "driver",
        os="Ubuntu 22.04",
        packages={"torch": "2.6.0+cu124"},
    ),
    _of(
        "driver_not_loaded",
        "LibMambaUnsatisfiableError: nothing provides __cuda needed by pytorch-2.7.1-cuda129",
        "env",
    ),
    _of(
        "forward_compat_unsupported",
        "cudaGetDeviceCount() error: Error 804: forward compatibility was attempted on non supported HW",
        "env",
        gpu="GeForce RTX 4070",
        driver="535.183.01",
        container="nvidia/cuda:12.4.1-devel-ubuntu22.04",
    ),
    _of(
        "forward_compat_unsupported",
        "Error 803: system has unsupported display driver / cuda driver combination",
        None,
        container="nvcr.io/nvidia/pytorch:24.05-py3",
        driver="525.147.05",
    ),
    _of(
        "fabric_manager_missing",
        "RuntimeError: CUDA error: system not yet initialized",
        "nvidia-fabricmanager",
        gpu="8x NVIDIA H100 80GB HBM3",
        driver="550.90.07",
    ),
    _of(
        "fabric_manager_missing",
        "(FabricManager) fabric manager NVIDIA GPU interface version 535.161.08 doesn't match "
        "with driver version 535.183.01. Please update with matching NVIDIA driver package.",
        "nvidia-fabricmanager",
    ),
    # containers and masks
    _of(
        "container_no_gpu",
        'docker: Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]].',
        "container",
    ),
    _of("container_no_gpu", "Error response from daemon: unknown or invalid runtime name: nvidia", "container"),
    _of(
        "container_no_gpu",
        "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.",
        "container",
    ),
    _of("container_no_gpu", "RuntimeError: Found no NVIDIA driver on your system.", "container", container="docker"),
    _of(
        "container_no_gpu",
        "failed to start: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=0",
        "container",
    ),
    _of(
        "container_cgroup",
        "root@pod:/# nvidia-smi\nFailed to initialize NVML: Unknown Error",
        "container",
        container="containerd",
    ),
    _of("device_masked", "RuntimeError: No CUDA GPUs are available", "env", env={"CUDA_VISIBLE_DEVICES": "-1"}),
    _of(
        "device_masked",
        "torch.AcceleratorError: CUDA error: invalid device ordinal",
        None,
        env={"CUDA_VISIBLE_DEVICES": "2,3"},
    ),
    _of(
        "device_masked",
        "ncclInvalidUsage: Duplicate GPU detected : rank 3 and rank 1 both on CUDA device 1b000",
        "code",
    ),
    _of(
        "mig_limit",
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-x)\n  MIG 1g.10gb     Device  0: (UUID: MIG-x)\n"
        "RuntimeError: CUDA error: invalid device ordinal",
        "env",
    ),
    _of(
        "wsl_driver",
        "$ nvidia-smi\nFailed to initialize NVML: GPU access blocked by the operating system",
        "driver",
        wsl="yes",
    ),
    _of("wsl_driver", "AssertionError: libcuda.so cannot found!", "env", os="Ubuntu 22.04 (WSL2)", wsl="2"),
    # kernels
    _of(
        "arch_above_wheel_max",
        "NVIDIA RTX PRO 6000 Blackwell with CUDA capability sm_120 is not compatible with the "
        "current PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 "
        "sm_80 sm_86 sm_90.",
        "torch",
        packages={"torch": "2.6.0+cu124"},
    ),
    _of(
        "arch_above_wheel_max",
        "NVIDIA GeForce RTX 3080 with CUDA capability sm_86 is not compatible with the current "
        "PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_37 sm_50 sm_60 sm_70.",
        "torch",
        packages={"torch": "1.8.1"},
    ),
    _of(
        "arch_above_wheel_max",
        "CUDA error: no kernel image is available for execution on the device",
        "torch",
        gpu="NVIDIA B300",
        packages={"torch": "2.5.1+cu121"},
    ),
    _of(
        "arch_below_wheel_min",
        "CUDA error: no kernel image is available for execution on the device",
        "torch",
        gpu="Quadro P4000",
        packages={"torch": "2.12.0+cu130"},
    ),
    _of(
        "arch_below_wheel_min",
        "Found GPU0 Tesla M60 which is of cuda capability 5.2.\nMinimum and Maximum cuda "
        "capability supported by this version of PyTorch is\n(7.5) - (12.0)",
        "torch",
    ),
    _of(
        "arch_below_lib_min",
        "RuntimeError: FlashAttention only supports Ampere GPUs or newer.",
        "code",
        gpu="Quadro RTX 6000",
    ),
    _of(
        "arch_below_lib_min",
        "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your "
        "Tesla T4 GPU has compute capability 7.5. You can use float16 instead",
        "code",
    ),
    _of(
        "arch_below_lib_min",
        "ValueError: The quantization method fp8 is not supported for the current GPU. Minimum "
        "capability: 89. Current capability: 80.",
        "code",
        gpu="A100",
    ),
    _of(
        "arch_below_lib_min",
        "torch._dynamo.exc.BackendCompilerFailed: Found Tesla P100-PCIE-16GB which is too old to be "
        "supported by the triton GPU compiler, which is used as the backend.",
        "env",
    ),
    _of(
        "arch_above_lib_max",
        "RuntimeError: FlashAttention only supports Ampere GPUs or newer.",
        None,
        gpu="RTX 5070 Ti",
    ),
    _of("nvcc_arch_unsupported", "nvcc fatal   : Unsupported gpu architecture 'compute_120'", "nvcc", nvcc="12.4"),
    _of("nvcc_arch_unsupported", "nvcc fatal   : Unsupported gpu architecture 'compute_70'", "code", nvcc="13.0"),
    _of("nvcc_arch_unsupported", "ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'", "env"),
    # builds
    _of(
        "cpu_only_build",
        "AssertionError: Torch not compiled with CUDA enabled",
        "torch",
        os="Windows 11",
        packages={"torch": "2.7.1"},
        gpu="RTX 3060",
    ),
    _of(
        "cpu_only_build",
        ">>> torch.__version__\n'2.4.1+cpu'\n>>> torch.cuda.is_available()\nFalse",
        "torch",
        os="Ubuntu 22.04",
    ),
    _of(
        "cpu_only_build",
        "PyTorch version: 2.8.0\nCUDA used to build PyTorch: None\nIs CUDA available: False\n",
        "torch",
        gpu="GH200",
        arch="aarch64",
    ),
    _of(
        "platform_no_cuda_wheel",
        "AssertionError: Torch not compiled with CUDA enabled",
        "code",
        os="macOS 14.5",
        arch="arm64",
    ),
    _of(
        "platform_no_cuda_wheel",
        "# R36 (release), REVISION: 3.0\n>>> torch.cuda.is_available()\nFalse",
        "torch",
        os="JetPack 6.0",
        arch="aarch64",
        packages={"torch": "2.6.0"},
    ),
    _of(
        "wrong_vendor_build",
        "RuntimeError: Found no NVIDIA driver on your system.",
        "torch",
        gpu="AMD Radeon RX 7900 XTX",
        packages={"torch": "2.5.1+cu124"},
    ),
    _of(
        "python_no_wheel",
        "ERROR: Could not find a version that satisfies the requirement torch==2.0.1 (from versions: "
        "2.2.0, 2.2.1, 2.2.2, 2.3.0)\nERROR: No matching distribution found for torch==2.0.1",
        None,
        python="3.12",
    ),
    _of(
        "python_no_wheel",
        "hint: You're using CPython 3.14 (`cp314`), but `torch` (v2.6.0) only has wheels with the "
        "following Python ABI tags: `cp39`, `cp310`, `cp311`, `cp312`, `cp313`",
        "python",
        python="3.14",
    ),
    _of("index_no_such_wheel", "ERROR: No matching distribution found for torch==2.3.0+cu121", "torch"),
    _of(
        "index_no_such_wheel",
        "Because there is no version of torchvision==0.20.0+cu124 and your project depends on "
        "torchvision==0.20.0+cu124, we can conclude that your project's requirements are unsatisfiable.",
        "torchvision",
    ),
    _of(
        "glibc_min",
        "ImportError: /lib64/libc.so.6: version `GLIBC_2.29' not found (required by /opt/venv/lib/python3.9/"
        "site-packages/tokenizers/tokenizers.abi3.so)",
        None,
        glibc="2.17",
    ),
    _of(
        "libstdcxx_min",
        "ImportError: /usr/lib/x86_64-linux-gnu/libstdc++.so.6: version `CXXABI_1.3.15' not found (required "
        "by /env/lib/python3.12/site-packages/sqlite3.so)",
        None,
    ),
    # pairs
    _of(
        "torch_pair",
        "RuntimeError: operator torchvision::nms does not exist",
        "torchvision",
        packages={"torch": "2.5.1", "torchvision": "0.19.0"},
    ),
    _of("torch_pair", "torchaudio 2.3.0 requires torch==2.3.0, but you have torch 2.4.1 which is incompatible.", None),
    _of(
        "torch_pair_cuda_variant",
        "Detected that PyTorch and torchaudio were compiled with different CUDA versions. PyTorch "
        "has CUDA version 12.6 whereas and TorchAudio has CUDA version 12.8.",
        None,
        packages={"torch": "2.7.1+cu126", "torchaudio": "2.7.1+cu128"},
    ),
    _of(
        "torch_pair_cuda_variant",
        "ImportError: torchvision",
        "torchvision",
        packages={"torch": "2.6.0+cu124", "torchvision": "0.21.0+cpu"},
    ),
    _of(
        "ext_torch_abi",
        "ImportError: /env/lib/python3.10/site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: "
        "undefined symbol: _ZN3c104cuda9SetDeviceEi",
        "flash-attn",
        packages={"torch": "2.5.0", "flash-attn": "2.5.8"},
    ),
    _of(
        "ext_torch_abi",
        "ImportError: /env/lib/python3.11/site-packages/torch_scatter/_scatter_cuda.so: undefined symbol: "
        "_ZN5torch3jit17parseSchemaOrNameERKNSt7__cxx1112basic_stringIcE",
        None,
        packages={"torch": "2.4.0"},
    ),
    _of(
        "ext_torch_abi",
        "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n"
        "    PyTorch 2.4.1+cu121 with CUDA 1201 (you have 2.5.1+cu121)\n    Python  3.11.9 (you have 3.11.10)",
        "xformers",
    ),
    _of(
        "ext_torch_abi",
        "ImportError: DLL load failed while importing flash_attn_2_cuda: The specified procedure could not be found.",
        None,
        os="Windows 11",
        packages={"torch": "2.6.0+cu124", "flash-attn": "2.7.0"},
    ),
    _of(
        "pkg_pin",
        "lightning 2.0.9 requires torch<4.0,>=1.11.0, but you have torch 1.10.2 which is incompatible.",
        "torch",
    ),
    _of(
        "pkg_pin",
        "ERROR: Cannot install vllm==0.6.3 and torch==2.5.1 because these package versions have conflicting "
        "dependencies.\n    The user requested torch==2.5.1\n    vllm 0.6.3 depends on torch==2.4.0\n"
        "ERROR: ResolutionImpossible",
        "torch",
    ),
    _of(
        "pkg_pin",
        "ImportError: huggingface-hub>=0.24.0,<1.0 is required for a normal functioning of this module, but found "
        "huggingface-hub==0.23.4.",
        "huggingface-hub",
    ),
    _of("pkg_pin", "Disabling PyTorch because PyTorch >= 2.4 is required but found 2.2.2", "torch"),
    _of(
        "pkg_api",
        "ImportError: cannot import name 'HybridCache' from 'transformers' (/env/transformers/__init__.py)",
        "peft",
        packages={"peft": "0.17.0", "transformers": "5.1.0"},
    ),
    _of("pkg_api", "ModuleNotFoundError: No module named 'torchvision.transforms.functional_tensor'", "torchvision"),
    _of(
        "pkg_api",
        "AttributeError: module 'torch' has no attribute 'float8_e4m3fn'",
        "torch",
        packages={"torch": "2.0.1"},
    ),
    _of(
        "pkg_api",
        "ValueError: The checkpoint you are trying to load has model type `gemma3` but Transformers does not "
        "recognize this architecture.",
        "transformers",
        packages={"transformers": "4.40.0"},
    ),
    _of("pkg_api", "TypeError: Trainer.__init__() got an unexpected keyword argument 'tokenizer'", "transformers"),
    _of(
        "triton_pin",
        "ImportError: cannot import name 'triton_key' from 'triton.compiler.compiler'",
        None,
        packages={"torch": "2.5.1", "triton": "3.0.0"},
    ),
    _of(
        "triton_pin",
        'torch 2.6.0 requires triton==3.2.0; platform_system == "Linux" and platform_machine == "x86_64", '
        "but you have triton 3.1.0 which is incompatible.",
        "triton",
    ),
    _of(
        "numpy_abi",
        "A module that was compiled using NumPy 1.x cannot be run in NumPy 2.1.0 as it may crash.",
        "numpy",
        packages={"torch": "2.1.2", "numpy": "2.1.0"},
    ),
    _of(
        "numpy_abi",
        "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, "
        "got 88 from PyObject",
        "numpy",
    ),
    # libraries
    _of(
        "cudart_soname",
        "ImportError: libcudart.so.11.0: cannot open shared object file: No such file or directory",
        "torch",
        packages={"torch": "2.5.1+cu124", "mmcv": "2.0.0"},
    ),
    _of(
        "cudart_soname",
        "ImportError: libcublas.so.12: cannot open shared object file: No such file or directory",
        "torch",
        packages={"torch": "2.0.1+cu118", "onnxruntime-gpu": "1.19.2"},
    ),
    _of(
        "cudnn_soname",
        "Could not locate cudnn_ops_infer64_8.dll. Please make sure it is in your library path!",
        None,
        os="Windows",
        packages={"torch": "2.5.1+cu124", "faster-whisper": "1.0.3", "ctranslate2": "4.4.0"},
    ),
    _of(
        "cudnn_soname",
        "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
        None,
    ),
    _of(
        "cudnn_version lib_shadowed",
        "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (9, 1, 0) but "
        "found runtime version (8, 9, 2). PyTorch already comes bundled with cuDNN.",
        "env",
    ),
    _of("cudnn_version lib_shadowed", "RuntimeError: cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "env"),
    _of(
        "lib_shadowed",
        "ImportError: libcusparse.so.12: undefined symbol: __nvJitLinkAddData_12_1, version libnvJitLink.so.12",
        "env",
        env={"LD_LIBRARY_PATH": "/usr/local/cuda-12.0/lib64"},
        packages={"torch": "2.3.1"},
    ),
    _of(
        "nccl_version",
        "ImportError: libtorch_cuda.so: undefined symbol: ncclCommRegister",
        None,
        packages={"torch": "2.3.0+cu121"},
    ),
    _of(
        "dup_cuda_runtime nccl_version",
        "libtorch_cuda.so: undefined symbol: ncclMemAlloc",
        None,
        packages={"torch": "2.13.0+cu130", "nvidia-nccl-cu12": "2.18.1", "nvidia-nccl-cu13": "2.29.7"},
    ),
    _of(
        "bnb_cuda_binary",
        "Configured CUDA binary not found at /env/site-packages/bitsandbytes/libbitsandbytes_cuda129.so",
        "bitsandbytes",
        packages={"torch": "2.8.0+cu129", "bitsandbytes": "0.45.0"},
    ),
    _of(
        "bnb_cuda_binary",
        "CUDA Setup failed despite GPU being available. Please run the following command to get more "
        "information:\n\npython -m bitsandbytes",
        "bitsandbytes",
    ),
    # building
    _of(
        "nvcc_torch_cuda",
        "RuntimeError:\nThe detected CUDA version (11.5) mismatches the version that was used to compile\n"
        "PyTorch (12.1). Please make sure to use the same CUDA versions.",
        "nvcc",
    ),
    _of(
        "toolkit_missing",
        "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
        "nvcc",
        packages={"torch": "2.4.0+cu124"},
    ),
    _of("toolkit_missing", "error: [Errno 2] No such file or directory: '/usr/local/cuda/bin/nvcc'", "nvcc"),
    _of(
        "host_compiler_max",
        "error: -- unsupported GNU version! gcc versions later than 13 are not supported! The nvcc flag "
        "'-allow-unsupported-compiler' can be used",
        "gcc",
        gcc="14.2.0",
        nvcc="12.4",
    ),
    _of(
        "host_compiler_max",
        'error: static assertion failed with "error STL1002: Unexpected compiler version, expected CUDA '
        '12.4 or newer."',
        "nvcc",
        nvcc="12.1",
    ),
    _of(
        "host_compiler_min",
        '#error "You\'re trying to build PyTorch with a too old version of GCC. We need GCC 9 or later."',
        "gcc",
    ),
    _of(
        "windows_dll",
        'OSError: [WinError 126] 找不到指定的模块。 Error loading "C:\\env\\Lib\\site-packages\\torch\\lib\\c10.dll" '
        "or one of its dependencies.",
        "system",
        os="Windows 10",
    ),
    _of(
        "windows_dll",
        "OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading "
        '"torch\\lib\\c10.dll" or one of its dependencies.',
        "system",
        os="Windows 11",
        packages={"torch": "2.9.0"},
    ),
    # not the stack
    _of(
        "none",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB",
        packages={"torch": "2.4.0+cu121"},
    ),
    _of(
        "none",
        "RuntimeError: CUDA error: device-side assert triggered",
        packages={"torch": "2.4.0+cu121"},
        gpu="A100",
        driver="550.54.15",
    ),
    _of(
        "none",
        "huggingface_hub.errors.GatedRepoError: 401 Client Error. Cannot access gated repo",
        packages={"torch": "2.4.0"},
    ),
    _of(
        "none",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x768 and 512x512)",
        packages={"torch": "2.4.0+cu121"},
    ),
    _of(
        "none",
        "[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)",
        packages={"torch": "2.4.0+cu121"},
    ),
    _of(
        "none",
        "torch 2.6.0+cu124, driver 535.183.01, RTX 4090: everything runs",
        packages={"torch": "2.6.0+cu124"},
        gpu="RTX 4090",
        driver="535.183.01",
    ),
    _of(
        "none",
        "Found GPU0 NVIDIA GB10 which is of cuda capability 12.1.\nMinimum and Maximum cuda capability supported by "
        "this version of PyTorch is\n(8.0) - (12.0)",
        gpu="NVIDIA GB10",
        packages={"torch": "2.10.0+cu130"},
    ),
    # not decidable
    _of("insufficient", "It crashes after some steps, see screenshot"),
    _of("insufficient", "CUDA error: no kernel image is available for execution on the device"),
    _of(
        "insufficient",
        "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions",
        packages={"torch": "2.5.1+cu124", "xformers": "0.0.29.post1"},
    ),
    _of("insufficient", "RuntimeError: No CUDA GPUs are available"),
    _of("insufficient", ">>> torch.cuda.is_available()\nFalse", gpu="RTX 3090", driver="535.129.03", os="Ubuntu 22.04"),
)
