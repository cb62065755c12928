"""Findings in words: as text with carets; `html`, `json`, `sarif` and `github` are entered as modules by who prints those."""

from labs.report.findings.text import finding_text, summary
from labs.report.findings.words import DOCSTRINGS, Fragments, lab_address, no_fragment, rule_prose

__all__ = [
    "DOCSTRINGS",
    "Fragments",
    "finding_text",
    "lab_address",
    "no_fragment",
    "rule_prose",
    "summary",
]
