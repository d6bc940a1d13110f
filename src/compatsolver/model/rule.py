"""Rules: what the facts forbid, in one shape.

A rule is a clause over sets of candidates: at least one of its literals must hold. "On Linux, CUDA 12 needs driver
525.60.13 or newer" reads: the platform is not Linux, or the runtime is not CUDA 12, or the driver is at least that.
The solver propagates rules, `check` evaluates them, explanations quote them: one object, three uses.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from enum import Enum
from typing import NamedTuple


class Kind(str, Enum):
    """What is broken when a rule is violated; names are those of the published vocabulary, order is that of weight.

    A conflict between several rules is named after the first of them in this order.
    """

    DRIVER_DROPS_GPU = "driver_drops_gpu"
    DRIVER_MIN_FOR_CUDA = "driver_min_for_cuda"
    ARCH_BELOW_LIB_MIN = "arch_below_lib_min"
    ARCH_ABOVE_LIB_MAX = "arch_above_lib_max"
    ARCH_BELOW_WHEEL_MIN = "arch_below_wheel_min"
    ARCH_ABOVE_WHEEL_MAX = "arch_above_wheel_max"
    BNB_CUDA_BINARY = "bnb_cuda_binary"
    GLIBC_MIN = "glibc_min"
    PYTHON_NO_WHEEL = "python_no_wheel"
    NUMPY_ABI = "numpy_abi"
    EXT_TORCH_ABI = "ext_torch_abi"
    CUDART_SONAME = "cudart_soname"
    TORCH_PAIR = "torch_pair"
    PKG_API = "pkg_api"
    PKG_PIN = "pkg_pin"
    TRITON_PIN = "triton_pin"
    PLATFORM_NO_CUDA_WHEEL = "platform_no_cuda_wheel"
    INDEX_NO_SUCH_WHEEL = "index_no_such_wheel"
    CPU_ONLY_BUILD = "cpu_only_build"


class Literal(NamedTuple):
    """`component` takes one of the candidates in the set `allowed`."""

    component: str
    allowed: int


class Unknown(NamedTuple):
    """The fact that would turn a guard into knowledge: what it is, why it matters, how to get it."""

    fact: str
    why: str
    how: str


class Rule(NamedTuple):
    """One clause and where it comes from.

    `field` names the column of the package table the rule was made from (`archs`, `pythons`, …), whose sources are
    kept per candidate; rules made from a row of their own carry `sources` (positions in the catalogue) directly.
    A *guard* has `unknown` set: it excludes what is not known to hold, and an answer must not be called impossible
    because of it. A rule to `avoid` may be broken where there is no other plan, which then says so: a source build
    instead of a wheel, a package of which a part does not work. A rule with an `extra` holds where that extra of its
    first component was asked for.
    """

    id: str
    kind: Kind
    literals: tuple[Literal, ...]
    evidence: str
    sources: tuple[int, ...] = ()
    field: str | None = None
    unknown: Unknown | None = None
    avoid: bool = False
    extra: str | None = None

    @property
    def certain(self) -> bool:
        """Whether breaking this rule makes an assignment impossible."""
        return self.unknown is None and not self.avoid
