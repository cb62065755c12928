"""What is said of how a DaemonSet's Pods are replaced: in its own manifest, or in the values of the plugin's chart."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.cluster.daemonset import (
    DEFAULT_MAX_SURGE,
    DEFAULT_MAX_UNAVAILABLE,
    ROLLING_UPDATE,
    IntOrPercent,
    UpdateStrategy,
    refusals,
)
from labs.config.documents import Kind
from labs.config.editing import replace
from labs.config.goyaml import Mapping, Scalar, ScalarKind
from labs.config.manifests import Field, field, mapping, text
from labs.lint.findings import Fix
from labs.lint.meaning import PluginDaemonSet, plugin_daemonsets
from labs.lint.subject import LintDocument, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import Container, PodTemplate

MOST_INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Rollout:
    """The update strategy of a DaemonSet, or the one that the plugin's chart is given, with the fields as written.

    `node` holds `updateStrategy`: the DaemonSet's spec or the chart's values. `template` is None for a chart, whose
    DaemonSets are the plugin's. `plugin` is the container that is the device plugin, where this DaemonSet has one.
    """

    document: LintDocument
    node: Mapping
    template: PodTemplate | None
    plugin: PluginDaemonSet | None
    type: Field | None
    unavailable: Field | None
    surge: Field | None
    min_ready: Field | None

    @property
    def of_plugin(self) -> bool:
        """Whether it replaces Pods of the device plugin."""
        return self.template is None or self.plugin is not None

    @property
    def name(self) -> str:
        """What the DaemonSet is called, cut to what a message can hold; empty for a chart."""
        return "" if self.template is None else (self.template.name or "")[:80]

    @property
    def rolling(self) -> Mapping | None:
        """The map `rollingUpdate`."""
        return mapping(self.node, "updateStrategy", "rollingUpdate")

    @property
    def strategy(self) -> UpdateStrategy | None:
        """The strategy with its defaults; None where a value is of a type that the API server can't read."""
        unavailable = int_or_percent(self.unavailable, DEFAULT_MAX_UNAVAILABLE)
        surge = int_or_percent(self.surge, DEFAULT_MAX_SURGE)
        kind = ROLLING_UPDATE if self.type is None or self.type.is_null else self.type.text
        if unavailable is None or surge is None or kind is None:
            return None
        return UpdateStrategy(kind or ROLLING_UPDATE, unavailable, surge, self.rolling is not None)

    @property
    def accepted(self) -> UpdateStrategy | None:
        """The strategy, if the API server takes it."""
        strategy = self.strategy
        return None if strategy is None or refusals(strategy) else strategy

    @property
    def surges(self) -> bool:
        """Whether new Pods start beside the old ones."""
        strategy = self.accepted
        return strategy is not None and strategy.allows_surge

    @property
    def unbraked(self) -> Container | None:
        """The container whose crashes a rollout does not see, where nothing has a Pod wait before it counts as available.

        That is the plugin's, or the first of another DaemonSet. None where a probe or `minReadySeconds` is a brake, and
        where what is written is not to be judged.
        """
        strategy, template, written = self.accepted, self.template, self.min_ready
        waits = written is not None and not written.is_null and whole(written) != 0
        if strategy is None or not strategy.rolls or template is None or waits:
            return None
        if self.plugin is not None:
            return None if _has(self.plugin.container, "readinessProbe") else self.plugin.container
        running = [container for container in template.containers if container.role == "containers"]
        if any(container.image is None for container in running):
            return None
        if any(_has(container, "readinessProbe") or _has(container, "startupProbe") for container in running):
            return None
        return next(iter(running), None)

    def without_surge(self) -> Fix | None:
        """The fix that replaces Pods one by one instead of beside each other."""
        if self.unavailable is None or self.surge is None:
            return None
        edits = (replace(self.unavailable.value, "1"), replace(self.surge.value, "0"))
        return self.document.fix(*edits)


def _has(container: Container, probe: str) -> bool:
    written = field(container.node, probe)
    return written is not None and not written.is_null


def int_or_percent(member: Field | None, default: IntOrPercent) -> IntOrPercent | None:
    """A value as JSON makes an IntOrString of it: a whole number of 32 bits, or text; None where it is neither.

    A missing value and a null are the default. `1.0` is written as 1 in JSON.
    """
    if member is None or member.is_null:
        return default
    value = member.value
    if not isinstance(value, Scalar) or value.kind is ScalarKind.BOOL:
        return None
    if value.kind in (ScalarKind.INT, ScalarKind.FLOAT):
        return whole(member)
    return member.text


def whole(member: Field | None) -> int | None:
    """A value as a whole number of 32 bits, if it is one, written as a number."""
    value = None if member is None else member.value
    if not isinstance(value, Scalar) or value.kind not in (ScalarKind.INT, ScalarKind.FLOAT):
        return None
    number = value.value
    if isinstance(number, float) and number.is_integer() and abs(number) <= MOST_INT32:
        number = int(number)
    if not isinstance(number, int) or not -MOST_INT32 - 1 <= number <= MOST_INT32:
        return None
    return number


@functools.lru_cache(maxsize=2)
def rollouts(subject: Subject) -> tuple[Rollout, ...]:
    """The DaemonSets, and the values of the plugin's chart that have a strategy, in order."""
    plugins = {plugin.document.index: plugin for plugin in plugin_daemonsets(subject)}
    return tuple(
        rollout
        for document in subject.documents
        if (rollout := _rollout(document, plugins.get(document.index))) is not None
    )


def daemonset_specs(subject: Subject) -> Iterator[tuple[LintDocument, Mapping]]:
    """The specs of DaemonSets that are whole: those with an image, which a patch of a few lines need not have."""
    for rollout in rollouts(subject):
        template = rollout.template
        if template is not None and any(container.image is not None for container in template.containers):
            yield rollout.document, rollout.node


def _rollout(document: LintDocument, plugin: PluginDaemonSet | None) -> Rollout | None:
    root, template = document.document.root, document.pod
    if document.kind is Kind.DAEMON_SET:
        node = mapping(root, "spec")
        group = text(root, "apiVersion") or "apps/v1"
        if node is None or not group.startswith("apps/"):
            # `extensions/v1beta1` had other defaults; no server takes it any more.
            return None
    elif document.chart is not None and field(document.chart.node, "updateStrategy") is not None:
        node, template = document.chart.node, None
    else:
        return None
    rolling = ("updateStrategy", "rollingUpdate")
    return Rollout(
        document,
        node,
        template,
        plugin,
        field(node, "updateStrategy", "type"),
        field(node, *rolling, "maxUnavailable"),
        field(node, *rolling, "maxSurge"),
        field(node, "minReadySeconds") if template is not None else None,
    )
