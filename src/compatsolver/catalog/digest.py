"""SHA-256 from the interpreter itself: `hashlib` would load OpenSSL for it, which costs more than all that is hashed.

The standard library's `random` takes its hash the same way. Where the interpreter was built without the module, hashlib
has it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import sha256


def digest_of(data: bytes | memoryview) -> str:
    """The SHA-256 of some bytes in hexadecimal digits."""
    return sha256(data).hexdigest()
