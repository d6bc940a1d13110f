from __future__ import annotations

import pytest

from compatsolver.observation.pasted import read_pasted
from compatsolver.observation.pasted.secrets import redacted

LETTERS = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"login with hf_{LETTERS}", LETTERS),
        (f"git clone https://ghp_{LETTERS}@github.com/a/b", LETTERS),
        ("aws AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"),
        (f"WANDB_API_KEY={LETTERS}", LETTERS),
        (f"Authorization: Bearer {LETTERS}", LETTERS),
        ("https://alice:pa55word@example.org/simple", "pa55word"),
        ('File "/home/alice/run.py"', "alice"),
        ("/Users/alice/venv/bin/python", "alice"),
        (r"C:\Users\Alice Smith\venv\Lib", "Smith"),
        ("alice@gpu-box-17:~/work$ nvidia-smi", "gpu-box-17"),
        ("[alice@login02 ~]$ ls", "login02"),
        ("mail alice.smith@example.org", "example.org"),
        ("Linux secret-box 6.8.0-31-generic #31 SMP x86_64", "secret-box"),
        ("Nov 12 10:00:01 secret-box kernel: NVRM: Xid", "secret-box"),
        ("secret-box:12:34 [0] NCCL INFO Bootstrap", "secret-box"),
        ("listening on 10.20.30.40:29500", "10.20.30.40"),
        ("inet 203.0.113.7 netmask", "203.0.113.7"),
        ("MASTER_ADDR=secret-box", "secret-box"),
        ("GPU 0: X (UUID: GPU-0a1b2c3d-1111-2222-3333-444455556666)", "0a1b2c3d"),
        ("-----BEGIN PRIVATE KEY-----\nMIIabc\nMIIdef\n-----END PRIVATE KEY-----", "MIIabc"),
    ],
)
def test_secrets_are_not_echoed(text: str, secret: str) -> None:
    reading = read_pasted(text + "\n")
    assert secret not in reading.text
    assert all(secret not in each.quote + each.value for each in reading.observations)


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-cudnn-cu12 9.10.2.21",
        "nvidia-cublas-cu12==12.8.4.1",
        "cudatoolkit 10.2.89, cublas 10.2.1.243",
        "driver 25.21.14.2531",
        "pkg@12.1 and gcc@11.2 and actions/checkout@v4",
        "torch @ https://download.pytorch.org/whl/cu126/torch-2.7.0.whl",
        "max_token: 4096, tokens=12",
        "/usr/local/cuda/lib64",
    ],
)
def test_versions_and_names_stay(text: str) -> None:
    assert redacted(text) == text
