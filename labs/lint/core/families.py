"""The families of rules and the kinds of documents they look at: a family is loaded when a document of its kinds is there.

Loading all rules takes longer than reading and judging a small file. `labs.lint.registry` has all of them, for whoever
speaks about rules and not about files.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module

from labs.config.documents import LABEL_KINDS, WORKLOAD_KINDS, Kind
from labs.lint.subject import Rule

_SETTINGS = (Kind.CLUSTER_POLICY, Kind.GPU_OPERATOR_VALUES, Kind.DEVICE_PLUGIN_VALUES)
_CLAIMS = (Kind.RESOURCE_CLAIM, Kind.RESOURCE_CLAIM_TEMPLATE, Kind.DEVICE_CLASS)
_BESIDE = (
    Kind.CLUSTER_QUEUE,
    Kind.POD_DISRUPTION_BUDGET,
    Kind.HORIZONTAL_POD_AUTOSCALER,
    Kind.SCALED_OBJECT,
)


@dataclass(frozen=True, slots=True)
class Family:
    """A package of rules. `kinds` None: its rules look at every file.

    A rule that looks at several documents counts by the one without which it finds nothing
    (`tests/unit/lint/test_families.py`).
    """

    name: str
    kinds: frozenset[Kind] | None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Its rules, in the order of their codes; loads them."""
        rules: tuple[Rule, ...] = import_module(f"labs.lint.rules.{self.name}").RULES
        return rules

    def looks_at(self, kinds: Collection[Kind]) -> bool:
        """Whether its rules may find something in documents of these kinds."""
        return self.kinds is None or not self.kinds.isdisjoint(kinds)


FAMILIES = (
    Family("files", None),
    Family("sharing", frozenset({Kind.DEVICE_PLUGIN})),
    Family("mig", frozenset({Kind.MIG_PARTED, Kind.CONFIG_MAP, *_SETTINGS})),
    Family("pods", frozenset({*WORKLOAD_KINDS, *_CLAIMS})),
    Family("deployment", frozenset({Kind.CONFIG_MAP, Kind.DAEMON_SET, Kind.NODE_SETTINGS, *_SETTINGS})),
    Family(
        "across",
        frozenset({*WORKLOAD_KINDS, *LABEL_KINDS, Kind.NODE, Kind.RESOURCE_QUOTA, *_SETTINGS, *_BESIDE}),
    ),
)
"""In the order of their codes."""


def rules_about(kinds: Collection[Kind]) -> tuple[Rule, ...]:
    """The rules that may find something in documents of these kinds, in the order of their codes."""
    return tuple(rule for family in FAMILIES if family.looks_at(kinds) for rule in family.rules)


def rule_names() -> tuple[str, ...]:
    """Code and slug of every rule, in the order of their codes; loads them all."""
    return tuple(name for family in FAMILIES for rule in family.rules for name in (rule.code, rule.slug))
