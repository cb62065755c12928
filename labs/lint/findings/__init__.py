"""Findings: what a rule says about a place, and the edits of a fix."""
