"""For maintainers: from YAML to the compiled catalogue. Nothing here runs when a user asks a question."""
