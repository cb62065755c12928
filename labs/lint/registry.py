"""All rules, in the order of their codes."""

from __future__ import annotations

from labs.lint.rules import across, deployment, files, mig, pods, sharing
from labs.lint.subject import Rule

RULES: tuple[Rule, ...] = (
    *files.RULES,
    *sharing.RULES,
    *mig.RULES,
    *pods.RULES,
    *deployment.RULES,
    *across.RULES,
)


def find_rule(name: str) -> Rule | None:
    """The rule with this code or slug."""
    return next((rule for rule in RULES if name.upper() == rule.code or name == rule.slug), None)
