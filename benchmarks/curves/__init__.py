"""How the time of a solve grows with the packages, the versions and the depth of a conflict, beside two peers."""
