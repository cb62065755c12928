"""Rules about MIG configs: GL3xx."""

from __future__ import annotations

from labs.lint.rule import Rule

RULES: tuple[Rule, ...] = ()
