"""Findings: what a rule says about a place, and how it is mended."""

from labs.lint.findings.finding import Argument, Finding, Fix, Related, Severity
from labs.lint.findings.fixing import fixed
from labs.lint.findings.ignores import Ignore, ignores, unsilenced
from labs.lint.findings.near import MOST_NAMES, NearNames, listed

__all__ = [
    "MOST_NAMES",
    "Argument",
    "Finding",
    "Fix",
    "Ignore",
    "NearNames",
    "Related",
    "Severity",
    "fixed",
    "ignores",
    "listed",
    "unsilenced",
]
