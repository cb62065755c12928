"""Rules about the operator, the charts and the DaemonSet: GL5xx."""

from __future__ import annotations

from labs.lint.rule import Rule

RULES: tuple[Rule, ...] = ()
