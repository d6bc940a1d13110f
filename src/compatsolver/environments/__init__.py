"""Environments as a whole: made from a lock and proven, compared, started."""
