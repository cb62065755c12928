"""Rules across the files that are given together: GL9xx."""

from __future__ import annotations

from labs.lint.rule import Rule

RULES: tuple[Rule, ...] = ()
