"""Several machines or locks held side by side: what differs, what of it matters, and what would make them one."""
