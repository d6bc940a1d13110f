"""From verdicts to proofs in words: minimal sets of assumptions, the few facts between them, reasons for pins."""
