"""YAML as go-yaml v2 reads it: the same trees, the same errors, with a place for every node."""
