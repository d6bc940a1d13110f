"""What this machine says of itself, one source a file; `collect` puts them together."""
