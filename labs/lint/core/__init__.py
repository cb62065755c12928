"""The linter: which rules there are, which speak, and running them over files."""
