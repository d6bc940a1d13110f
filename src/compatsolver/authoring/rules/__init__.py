"""The tables turned into rules, one file per subject. This is the only place where a table gets its meaning."""
