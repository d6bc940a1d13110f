"""Frozen values that every floor above speaks in: no I/O, no clock, no knowledge of the catalogue's contents."""
