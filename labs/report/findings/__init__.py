"""Findings told: as text with carets, JSON, SARIF, annotations, and in a page."""
