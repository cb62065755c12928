"""Rules about a file as such: GL1xx."""

from __future__ import annotations

from labs.lint.rule import Rule

RULES: tuple[Rule, ...] = ()
