# Locked by compatsolver, catalogue 2026.11.30 (digest 0123456789ab).
# Asked for: torch, peft[dev]
# Made for: RTX 4090, driver 535.98, linux-x86_64, Python 3.12, glibc 2.35
# The host needs an NVIDIA driver 525.60.13 or newer and the NVIDIA Container Toolkit; the image holds no driver.
# Build it: docker build --platform linux/amd64 -t locked-environment .
# Run it:   docker run --rm --gpus all locked-environment python -c 'import torch; print(torch.version.cuda)'

FROM python:3.12-slim
COPY --from=ghcr.io/astral-sh/uv:0.13 /uv /usr/local/bin/uv
ENV VIRTUAL_ENV=/opt/venv PATH="/opt/venv/bin:$PATH" UV_PYTHON_INSTALL_DIR=/opt/python
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
ENV NVIDIA_REQUIRE_DRIVER="driver>=525.60.13"
ENV TORCH_CUDA_ARCH_LIST="8.9"
WORKDIR /workspace
RUN uv venv --python 3.12 /opt/venv
COPY requirements.txt ./
RUN uv pip install --no-cache --require-hashes --index-strategy unsafe-best-match -r requirements.txt
