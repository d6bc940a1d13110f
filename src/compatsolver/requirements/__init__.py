"""Requirements as people write them: on a command line, in requirements files, in a project's metadata."""
