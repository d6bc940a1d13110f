"""For maintainers: YAML tables to lint and to compile. Needs the extra `authoring`; nothing here runs in an answer."""
