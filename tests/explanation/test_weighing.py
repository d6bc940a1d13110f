"""Root cause first: what is merged, attached, or only remarked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.diagnosis import Diagnosis

PROXY = "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed'))"


def test_a_rule_and_a_symptom_of_one_kind_are_one_finding(explained: Callable[..., Diagnosis]) -> None:
    text = "The NVIDIA driver on your system is too old (found version 11040)."
    diagnosis = explained(text, packages={"torch": "2.5.1+cu124"}, nvidia_smi_cuda="11.4", os="Ubuntu 22.04")
    (finding,) = diagnosis.findings
    assert finding.kind == "driver_min_for_cuda"
    assert any("line 1 says" in fact.statement for fact in finding.because)
    assert any("525.60.13" in fact.statement for fact in finding.because)


def test_a_consequence_is_told_inside_its_cause(explained: Callable[..., Diagnosis]) -> None:
    text = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    diagnosis = explained(text, gpu="Tesla V100", driver="590.48.01")
    assert [finding.kind for finding in diagnosis.findings] == ["driver_drops_gpu"]
    assert "no NVIDIA kernel module" in diagnosis.findings[0].consequences[0]


def test_a_package_conflict_beside_another_fault_is_a_remark(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(PROXY, packages={"torch": "2.2.0+cu121", "numpy": "2.1.0"}, os="Ubuntu 22.04")
    assert [(finding.severity, finding.kind) for finding in diagnosis.findings] == [
        ("info", "none"),
        ("info", "numpy_abi"),
    ]
    assert diagnosis.verdict == "compatible"


def test_hardware_that_cannot_work_is_an_error_beside_anything(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(PROXY, gpu="RTX 5090", packages={"torch": "2.4.0+cu121"}, os="Ubuntu 22.04")
    assert (diagnosis.verdict, diagnosis.findings[0].kind) == ("incompatible", "arch_above_wheel_max")


def test_a_printed_arch_list_beats_the_tables(explained: Callable[..., Diagnosis]) -> None:
    text = "torch.cuda.get_arch_list() ['sm_80', 'sm_90', 'sm_120']"
    diagnosis = explained(text, gpu="Tesla V100", packages={"torch": "2.9.1+cu128"}, os="Ubuntu 22.04")
    assert (diagnosis.verdict, diagnosis.findings[0].kind) == ("incompatible", "arch_below_wheel_min")


def test_a_usual_default_makes_a_finding_likely(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained("crashes", gpu="GTX 1080", packages={"torch": "2.12.0"}, os="Ubuntu 22.04")
    assert (diagnosis.findings[0].kind, diagnosis.findings[0].confidence) == ("arch_below_wheel_min", "likely")


def test_an_unknown_capability_is_asked_for(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained(gpu="GeForce RTX 9090", packages={"torch": "2.12.0+cu130"}, os="Ubuntu 22.04")
    assert diagnosis.verdict == "undetermined"
    assert "compute capability of GeForce RTX 9090" in diagnosis.missing[0].fact
