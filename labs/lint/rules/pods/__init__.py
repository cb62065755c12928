"""Rules about Pods and resource claims: GL4xx."""

from __future__ import annotations

from labs.lint.rule import Rule

RULES: tuple[Rule, ...] = ()
