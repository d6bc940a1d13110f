"""The compiled catalogue: read it, check its hash, ask it questions. It never changes once loaded."""
