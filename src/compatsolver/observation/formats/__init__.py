"""Text grammars that more than one source of facts speaks."""
