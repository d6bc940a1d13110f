"""Which torch the tools that choose one for a machine would install, and whether that build runs there."""
