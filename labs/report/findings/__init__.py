"""Findings told: as text with carets, JSON, SARIF, annotations, and in a page."""

from labs.report.findings.github import annotation
from labs.report.findings.html import CheckedText, CheckWords, check_regions, finding_key, marks
from labs.report.findings.json import findings_json
from labs.report.findings.sarif import sarif
from labs.report.findings.text import finding_text, summary
from labs.report.findings.words import DOCSTRINGS, Fragments, lab_address, no_fragment, rule_prose

__all__ = [
    "DOCSTRINGS",
    "CheckWords",
    "CheckedText",
    "Fragments",
    "annotation",
    "check_regions",
    "finding_key",
    "finding_text",
    "findings_json",
    "lab_address",
    "marks",
    "no_fragment",
    "rule_prose",
    "sarif",
    "summary",
]
