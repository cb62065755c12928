"""Rules about sharing in the device plugin's config: GL2xx."""

from __future__ import annotations

from labs.lint.rule import Rule
from labs.lint.rules.sharing import both_strategies

RULES: tuple[Rule, ...] = (both_strategies.RULE,)
