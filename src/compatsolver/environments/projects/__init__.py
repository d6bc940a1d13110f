"""A project that is started: the files beside its lock, and the directory they go to."""
