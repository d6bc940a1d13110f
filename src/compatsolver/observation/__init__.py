"""Where facts about a machine come from: documents that people write, and this machine itself."""
