"""A finding in words: what is wrong, what to do, and what its other places are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labs.lint.core import explanation
from labs.lint.findings import Finding, Related, Severity
from labs.lint.subject import Rule
from labs.report.writing import Messages

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
DOCSTRINGS = "en"  # their language
LAB_PAGE = "labs/rollout"  # on which the scenario of a finding can be tried

Fragments = Callable[[Finding], str]
"""What opens the scenario of a finding on that page: the fragment of its address, empty where it has none."""


def no_fragment(finding: Finding) -> str:
    """For places where no scenario can be opened."""
    return ""


def lab_address(fragment: str) -> str:
    """The address below the site's root."""
    return f"{LAB_PAGE}/#{fragment}" if fragment else ""


@dataclass(frozen=True, slots=True)
class FindingWords:
    """The words for a finding: one sentence each; `related` in the order of its related places."""

    message: str
    help: str
    related: tuple[str, ...]


def finding_words(finding: Finding, rules: Messages) -> FindingWords:
    """The words for a finding, from the rules' sentences of a language."""
    values = dict(finding.arguments)
    return FindingWords(
        rules.pick(_key(finding, "message", rules), values),
        rules.pick(_key(finding, "help", rules), values),
        tuple(rules.pick(f"{finding.code}.{place.note}", values) for place in finding.related),
    )


def rule_prose(rule: Rule, words: Messages) -> dict[str, str]:
    """`what` a rule looks for, and `why` it matters: in English its docstring says it, in other languages their words do."""
    if words.language == DOCSTRINGS:
        page = explanation(rule)
        return {"what": page.what, "why": page.why}
    return {part: words.text(f"{rule.code}.{part}") for part in ("what", "why")}


def _key(finding: Finding, part: str, rules: Messages) -> str:
    """A variant may have words of its own for each part; where it has none, the part's common words count."""
    key = f"{finding.code}.{part}"
    variant = f"{key}-{finding.variant}"
    return variant if finding.variant and rules.has(variant) else key


def related_in_order(finding: Finding, words: FindingWords) -> tuple[tuple[Related, str], ...]:
    """The related places with their words."""
    return tuple(zip(finding.related, words.related, strict=True))
