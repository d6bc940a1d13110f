"""Package indexes: the one HTTP client, the pages and metadata it reads, and what it keeps of them."""
