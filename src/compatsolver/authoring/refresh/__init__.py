"""Proposals: what indexes and saved pages have that the tables have not. Tables are never written here."""
