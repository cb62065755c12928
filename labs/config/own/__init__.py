"""Texts in formats of our own: one YAML document each, read with every problem at its place."""
