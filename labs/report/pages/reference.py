"""The reference pages of a language, by the paths at which a site has them: of rules, of cards, and of the accuracy."""

from __future__ import annotations

from labs.hardware.catalog import Catalog
from labs.lint.registry import RULES
from labs.report.pages.card_pages import CardPages, families
from labs.report.pages.evidence import Evidence
from labs.report.pages.rule_pages import RulePages
from labs.report.pages.trust_page import TrustPage
from labs.report.writing import Messages


def reference_pages(
    messages: Messages, words: Messages, catalog: Catalog, evidence: Evidence
) -> dict[str, str]:
    """The text of every page, such as `rules/gl201.md`; `words` are those of the rules.

    Raises `MessageError` where a language lacks a sentence, and `ExplanationError` for a rule's docstring out of form.
    """
    cards = CardPages(messages, catalog)
    rules = RulePages(messages, words, catalog)
    return {
        "accuracy/index.md": TrustPage(messages, evidence).page(),
        "hardware/index.md": cards.index(),
        **{
            f"hardware/{name.lower()}.md": cards.page(name, models)
            for name, models in families(catalog).items()
        },
        "rules/index.md": rules.index(RULES),
        **{f"rules/{rule.code.lower()}.md": rules.page(rule) for rule in RULES},
    }
