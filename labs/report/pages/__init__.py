"""Reference pages as Markdown: of rules, of cards, and of how far the simulator is off."""

from labs.report.pages.evidence import Evidence, builtin_evidence
from labs.report.pages.reference import reference_pages

__all__ = [
    "Evidence",
    "builtin_evidence",
    "reference_pages",
]
