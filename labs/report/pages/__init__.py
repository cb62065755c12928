"""Reference pages as Markdown: of rules, of cards, and of how far the simulator is off."""

from labs.report.pages.card_pages import CardPages, families
from labs.report.pages.rule_pages import RulePages
from labs.report.pages.trust_page import Evidence, TrustPage

__all__ = [
    "CardPages",
    "Evidence",
    "RulePages",
    "TrustPage",
    "families",
]
