"""What the tables hold on one subject: a build, a release, a GPU, a driver, a toolkit. Looked up, never concluded."""
