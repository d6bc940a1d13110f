"""Proof by computing: checks in processes of their own, what came of them, and how much memory training takes."""
