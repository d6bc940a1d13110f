"""What people paste: listings, reports, logs, error messages and words, read to observations."""

from compatsolver.observation.pasted.read import read_pasted

__all__ = ["read_pasted"]
