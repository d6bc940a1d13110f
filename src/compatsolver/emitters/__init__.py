"""Outputs for other tools, one a file. Each knows only the model, and says what it cannot express."""
