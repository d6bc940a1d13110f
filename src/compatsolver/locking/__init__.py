"""The open closure: every package below a plan, resolved on an index for the target, with files and hashes."""
