"""Which rules speak, and how loudly: what a project's configuration and the command line choose."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule

ALL = "ALL"
_NO_SEVERITIES: Mapping[str, Severity] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Selection:
    """Rules by code, slug, or the beginning of a code (`GL2`); `ALL` is every one, optional ones too.

    `select` empty: all but the optional. `extend` are added to that. `severities` are by such names too; the most exact
    one counts.
    """

    select: tuple[str, ...] = ()
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=lambda: _NO_SEVERITIES)

    def chosen(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules that speak."""
        return tuple(rule for rule in rules if self._speaks(rule))

    def _speaks(self, rule: Rule) -> bool:
        if named(rule, self.ignore):
            return False
        if named(rule, self.extend):
            return True
        return named(rule, self.select) if self.select else not rule.optional

    def rated(self, finding: Finding) -> Finding:
        """The finding with the severity that was asked for."""
        if not self.severities:
            return finding
        code = finding.code
        names = (finding.slug, *(code[:length] for length in range(len(code), 1, -1)), ALL)
        wanted = next((self.severities[name] for name in names if name in self.severities), None)
        return finding if wanted is None else dataclasses.replace(finding, severity=wanted)

    def unknown(self, rules: Sequence[Rule]) -> tuple[str, ...]:
        """The names in it that no rule has."""
        names = (*self.select, *self.extend, *self.ignore, *self.severities)
        return tuple(name for name in dict.fromkeys(names) if not any(named(rule, (name,)) for rule in rules))


def named(rule: Rule, names: Sequence[str]) -> bool:
    """Whether one of the names is this rule's or that of a group it is in."""
    return any(
        name in (ALL, rule.code, rule.slug) or (name.startswith("GL") and rule.code.startswith(name))
        for name in names
    )
