"""What is wrong with a stack: rules and symptoms on what was observed, weighed, with causes before consequences."""
